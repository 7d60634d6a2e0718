// Package search finds the set of hosts on which a job is predicted to be best.
//
//	problem := search.Problem{App: app, Snapshot: snapshot, Hosts: 80}
//	plan, err := search.New(problem, search.Options{Seed: 1, Evaluations: 1000})
//	for i := range plan.Islands() { answers[i] = plan.Run(i) } // each on any core
//	best := search.Merge(problem.Objective, answers)
//
// It counts by shelf (see package shelf): how many hosts of each rack, the better ones first. Each
// island begins with one of the four baselines and makes local moves: it takes hosts of one rack and
// adds hosts of another. Half of the moves follow the links: from a rack whose uplink needs longest for
// what crosses it to one with time to spare. A worse set is accepted at first more often than later
// (simulated annealing), because what the slowest of many links bounds gets better only when
// several moves have been made.
//
// Genetic is TARA's search as published, on single hosts, for comparison.
//
// Budgets are numbers of predictions. Islands have seeds of their own, share nothing and merge in order.
// So a snapshot and a seed give the same answer on any machine, with any number of cores.
package search

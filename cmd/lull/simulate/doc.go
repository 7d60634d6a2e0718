// Package simulate compares policies on people's own traces: it reads the files, runs each policy
// over the same scenario in virtual time, and counts the outcomes.
//
//	plan, err := simulate.Load(simulate.Options{Hosts: "usage.csv", Jobs: "jobs.csv"})
//	runs := plan.Runs()                     // one a policy and seed; watch them go
//	err = plan.Compare(ctx, runs)           // over all cores
//	rows := simulate.Rows(runs)             // what to print
//	err = page.Write(w, plan.Report(runs))  // what to look at
//
// A run is one goroutine and shares nothing but what it reads. Of its result
// only counts and curves of a few hundred points are kept.
package simulate

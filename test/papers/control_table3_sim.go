package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/stat"
	"lull/test/papers/workload"
	"lull/test/report"
)

// sharing is one of the ways in which Park and Humphrey's section 6.3 runs jobs
// beside each other. Each queue runs one job after the other.
type sharing struct {
	name   string
	queues []sharedQueue
	pace   string
}

type sharedQueue struct {
	name   string
	weight float64
	jobs   int
}

// sharings have as many jobs as the paper's runs: 50, and 51 with priorities.
var sharings = []sharing{
	{"fair share", []sharedQueue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOn},
	{"priority 2/3 : 1/3", []sharedQueue{{"high", 2, 31}, {"low", 1, 20}}, slotter.PaceOn},
	{"unmanaged", []sharedQueue{{"one", 1, 25}, {"two", 1, 25}}, slotter.PaceOff},
	{"exclusive", []sharedQueue{{"one", 1, 50}}, slotter.PaceOff},
}

// controlTable3Sim is the paper's Table 3 in the simulator: on its four nodes,
// and on four hundred with jobs a hundred times as wide.
func controlTable3Sim(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"makespan: from a job's first task to its end. Jobs that ended after the other queue had run dry are left out of it.",
		"the simulator's disks serve all readers alike, and its hosts follow a rate at once: what the paper's unmanaged run owes to readers that push others aside (σ 270.8 s), it cannot show.",
	}}
	for _, nodes := range some(o, []int{1, 100}, 0) {
		if err := table3On(ctx, o, r, workload.SkyServer{Nodes: nodes}); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func table3On(ctx context.Context, o options, r *report.Report, sky workload.SkyServer) error {
	if sky.Nodes > 1 {
		o.Seeds = 1 // a run has a hundred times as many tasks, and less luck
	}
	at := label("nodes", 4*sky.Nodes)
	var variants []variant
	for _, way := range sharings {
		variants = append(variants, variant{at, way.name, func(seed uint64) (sim.Scenario, error) { return way.scenario(o, sky, seed), nil }})
	}
	b, err := sweep(ctx, o, variants, func(s *sim.Scenario, r *sim.Result) ([]value, error) { return makespans(s, r), nil })
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, b.rows()...)
	r.Checks = append(r.Checks, sharingChecks(b.boards[0], fmt.Sprintf("%d nodes: ", 4*sky.Nodes))...)
	return nil
}

// scenario submits all jobs at once: their queues run them one by one.
func (way sharing) scenario(o options, sky workload.SkyServer, seed uint64) sim.Scenario {
	disks := workload.DiskSpeed * float64(sky.Nodes)
	s := sim.Scenario{
		Seed: seed, Hosts: sky.Hosts(), Types: sky.Truths(), Sources: []sim.Source{{Name: workload.Disks, Capacity: disks}},
		Admission: admission.Config{Mode: admission.ModeAll},
		Slotter:   slotter.Config{Policy: "fifo", Pace: way.pace, Capacity: disks, Rivals: -1},
	}
	for _, q := range way.queues {
		s.Queues = append(s.Queues, subjects.Shared{Queue: q.name, Weight: q.weight, Jobs: 1})
		jobs := q.jobs
		if o.Quick || sky.Nodes > 1 {
			jobs = (jobs + 4) / 5
		}
		for range jobs {
			s.Jobs = append(s.Jobs, sim.Job{At: time.Second, Spec: sky.Job(q.name)})
		}
	}
	return s
}

// makespans are each queue's mean and deviation, in seconds, and the whole run.
func makespans(s *sim.Scenario, r *sim.Result) (values []value) {
	dry, whole := time.Duration(math.MaxInt64), time.Duration(0)
	for _, q := range s.Queues {
		last := time.Duration(0)
		for i := range r.Jobs {
			if s.Jobs[i].Spec.Queue == q.Queue {
				last = max(last, r.Jobs[i].Ended)
			}
		}
		dry, whole = min(dry, last), max(whole, last)
	}
	for _, q := range s.Queues {
		var spans []float64
		for i := range r.Jobs {
			if j := &r.Jobs[i]; s.Jobs[i].Spec.Queue == q.Queue && j.Ended <= dry {
				spans = append(spans, (j.Ended - j.Started).Seconds())
			}
		}
		mean, deviation := stat.Spread(spans)
		values = append(values, value{q.Queue + ": makespan_s", mean}, value{q.Queue + ": deviation_s", deviation})
	}
	return append(values, value{"whole_h", whole.Hours()})
}

// sharingChecks hold the run against what the issue of sharing is: the same time
// for every job, twice as long for half of the share, and nothing lost for it.
func sharingChecks(b *board, at string) []report.Check {
	of := func(way, metric string) float64 { return b.mean(way, metric).Mean }
	deviation := max(of("fair share", "one: deviation_s")/of("fair share", "one: makespan_s"),
		of("fair share", "two: deviation_s")/of("fair share", "two: makespan_s"))
	ratio := of("priority 2/3 : 1/3", "low: makespan_s") / of("priority 2/3 : 1/3", "high: makespan_s")
	longer := of("fair share", "whole_h")/of("unmanaged", "whole_h") - 1
	return []report.Check{
		report.AtMost(at+"fair share: deviation of the makespan, % of its mean", 100*deviation, 3).Beside(100 * 12.8 / 545.7),
		report.AtLeast(at+"priority: low over high makespan", ratio, 1.8).Beside(777.6 / 503.7),
		report.AtMost(at+"priority: low over high makespan", ratio, 2.2).Beside(777.6 / 503.7),
		report.AtMost(at+"fair share: whole run longer than unmanaged, %", 100*longer, 5).Beside(100 * (229./244 - 1)),
	}
}

package simulated

import (
	"context"
	"fmt"
	"time"

	"lull/admission"
	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/sharing"
	"lull/test/papers/workload"
	"lull/test/report"
	"lull/test/tables"
)

// controlTable3Sim is the paper's Table 3 in the simulator: on its four nodes,
// and on four hundred with jobs a hundred times as wide.
func controlTable3Sim(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"makespan: from a job's first task to its end. Jobs that ended after the other queue had run dry are left out of it.",
		"the simulator's disks serve all readers alike, and its hosts follow a rate at once: what the paper's unmanaged run owes to readers that push others aside (σ 270.8 s), it cannot show.",
	}}
	for _, nodes := range tables.Some(o.Quick, []int{1, 100}, 0) {
		if err := table3On(ctx, o, r, workload.SkyServer{Nodes: nodes}); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func table3On(ctx context.Context, o options, r *report.Report, sky workload.SkyServer) error {
	if sky.Nodes > 1 {
		o.Seeds = 1 // a run has a hundred times as many tasks, and less variance
	}
	at := label("nodes", 4*sky.Nodes)
	var variants []variant
	for _, way := range sharing.Ways {
		variants = append(variants, variant{at, way.Name, func(seed uint64) (sim.Scenario, error) { return shareScenario(way, o, sky, seed), nil }})
	}
	b, err := sweep(ctx, o, variants, func(s *sim.Scenario, r *sim.Result) ([]value, error) { return makespans(s, r), nil })
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, b.rows()...)
	of := func(way, metric string) float64 { return b.boards[0].mean(way, metric).Mean }
	checks := sharing.Checks(of, fmt.Sprintf("%d nodes: ", 4*sky.Nodes))
	if sky.Nodes > 1 {
		checks[1] = checks[1].Unreached() // no sharing could: see docs/papers.md
	}
	r.Checks = append(r.Checks, checks...)
	return nil
}

// shareScenario submits all jobs at once: their queues run them one by one.
func shareScenario(way sharing.Way, o options, sky workload.SkyServer, seed uint64) sim.Scenario {
	disks := workload.DiskSpeed * float64(sky.Nodes)
	s := sim.Scenario{
		Seed: seed, Hosts: sky.Hosts(), Types: sky.Truths(), DataNodes: []sim.DataNode{{Name: workload.Disks, Capacity: disks}},
		Admission: admission.Config{Mode: subjects.ModeAll},
		Slotter:   slotter.Config{Policy: "fifo", Pace: way.Pace, Capacity: disks, Rivals: -1},
	}
	for _, q := range way.Queues {
		s.Queues = append(s.Queues, subjects.Shared{Queue: q.Name, Weight: q.Weight, Jobs: 1})
		jobs := q.Jobs
		if o.Quick || sky.Nodes > 1 {
			jobs = (jobs + 4) / 5
		}
		for range jobs {
			s.Jobs = append(s.Jobs, sim.Job{At: time.Second, Spec: sky.Job(q.Name)})
		}
	}
	return s
}

// makespans are each queue's mean and deviation, in seconds, and the whole run.
func makespans(s *sim.Scenario, r *sim.Result) (values []value) {
	var spans []sharing.Span
	for i := range r.Jobs {
		spans = append(spans, sharing.Span{Queue: s.Jobs[i].Spec.Queue, Began: r.Jobs[i].Started, Ended: r.Jobs[i].Ended})
	}
	results, whole := sharing.Sum(spans)
	for _, q := range s.Queues {
		of := results[q.Queue]
		values = append(values, value{q.Queue + ": makespan_s", of.Mean}, value{q.Queue + ": deviation_s", of.Deviation})
	}
	return append(values, value{"whole_h", whole.Hours()})
}

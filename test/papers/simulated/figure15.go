package simulated

import (
	"context"
	"fmt"
	"time"

	"lull/sim"
	"lull/test/papers/truth"
	"lull/test/report"
)

// firstMinutes is the part of the case study that figure 15 shows.
const firstMinutes = 10 * time.Minute

// figure15 is how the slots are shared among jobs in the first ten minutes of the case study: EDF
// gives one job all of them, MP several the best fitting.
func figure15(ctx context.Context, o options) (*report.Report, error) {
	policies := o.among("edf", "mp", "mp+")
	var variants []variant
	for _, p := range policies {
		variants = append(variants, variant{nil, p, func(seed uint64) (sim.Scenario, error) {
			return caseStudy(o, truth.Declared(), p, seed)
		}})
	}
	b, err := caseStudies.sweep(ctx, o, variants, "figure15")
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows()}
	for _, p := range policies {
		if p != "edf" && policies[0] == "edf" {
			row, more := b.boards[0].against(p, "jobs that run at once", false)
			r.Rows = append(r.Rows, row)
			r.Checks = append(r.Checks, report.AtLeast(p+": jobs that run at once more than with edf", more.Mean, 0))
		}
		if err := figure15Plot(ctx, o, r, p, firstMinutes); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// slotsOfJobs reads off a run how many jobs run at once, and how much of the slots the largest has.
func slotsOfJobs(_ *sim.Scenario, r *sim.Result) ([]value, error) {
	jobs, most := 0.0, 0.0
	looks := 0.0
	for at := 30 * time.Second; at <= firstMinutes; at += 10 * time.Second {
		slots := slotsAt(r.Runs, at)
		if len(slots) > 0 {
			looks, jobs, most = looks+1, jobs+float64(len(slots)), most+largest(slots)
		}
	}
	return []value{{"jobs that run at once", jobs / looks}, {"share of the largest", most / looks}}, nil
}

// longest is more than almost any task of the case study takes.
const longest = 20 * time.Minute

// slotsAt returns the number of busy slots of each job at a time.
func slotsAt(runs []sim.RunResult, at time.Duration) map[string]float64 {
	slots := map[string]float64{}
	for i := range runs {
		if runs[i].Start <= at && runs[i].End > at {
			slots[runs[i].Job]++
		}
	}
	return slots
}

// largest is the share of the job with the most slots.
func largest(slots map[string]float64) float64 {
	most, all := 0.0, 0.0
	for _, n := range slots {
		most, all = max(most, n), all+n
	}
	return most / all
}

// figure15Plot draws the slots of each job, a letter a job, for one seed.
func figure15Plot(ctx context.Context, o options, r *report.Report, policy string, window time.Duration) error {
	s, err := caseStudy(o, truth.Declared(), policy, o.Seed)
	if err != nil {
		return err
	}
	s.Until = window + longest // so that what runs at the window's end has ended
	result, err := sim.Run(ctx, s)
	if err != nil {
		return err
	}
	p := newPlot(fmt.Sprintf("%s, seed %d: slots of each job (a letter a job) over time in s", policy, o.Seed), window.Seconds(), 44)
	for x := range plotWidth {
		at := time.Duration(float64(window) * (float64(x) + 0.5) / plotWidth)
		slots := slotsAt(result.Runs, at)
		for i := range result.Jobs {
			if n := slots[result.Jobs[i].ID]; n > 0 {
				p.put(at.Seconds(), n, byte('a'+i%26))
			}
		}
	}
	r.Notes = append(r.Notes, p.String())
	return nil
}

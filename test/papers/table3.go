package main

import (
	"context"
	"errors"
	"fmt"

	"lull/sim"
	"lull/test/papers/truth"
	"lull/test/report"
)

// table3 is MIMP's case study on the declared and the measured curves.
func table3(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"missed: finished after the deadline. failed: the client gave up 600 s after the deadline (Hadoop's time-out).",
		"bound: no schedule of the same tasks that ends when the run did uses less; bound-due: nor one that also keeps each job's deadline, or the run's end if later. Both of mp's run.",
	}}
	if err := caseStudyOn(ctx, o, r, "declared", truth.Declared()); err != nil {
		return nil, err
	}
	measured, err := truth.Measured(o.Measured)
	if errors.Is(err, truth.ErrNotMeasured) {
		r.Notes = append(r.Notes, "measured curves: skipped: "+err.Error())
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	return r, caseStudyOn(ctx, o, r, "measured", truth.Stretch(measured))
}

// judged is a run with its bounds.
type judged struct {
	outcome
	bound, due float64
}

func caseStudyOn(ctx context.Context, o options, r *report.Report, curves string, types []sim.Truth) error {
	policies := o.among("fifo", "edf", "mp", "mp+")
	runs, err := each(ctx, len(policies)*o.Seeds, func(ctx context.Context, i int) (judged, error) {
		policy, seed := policies[i%len(policies)], o.Seed+uint64(i/len(policies))
		j, err := judge(ctx, types, policy, seed)
		if err != nil {
			err = fmt.Errorf("%s, seed %d: %w", policy, seed, err)
		}
		return j, err
	})
	if err != nil {
		return err
	}
	b := newBoard(report.Cell{Key: "curves", Value: curves})
	for i, run := range runs {
		run.show(b, policies[i%len(policies)])
	}
	r.Rows = append(r.Rows, b.rows()...)
	compare(r, b, policies, curves)
	return nil
}

func judge(ctx context.Context, types []sim.Truth, policy string, seed uint64) (judged, error) {
	s, err := caseStudy(types, policy, seed)
	if err != nil {
		return judged{}, err
	}
	result, err := sim.Run(ctx, s)
	if err != nil {
		return judged{}, err
	}
	j := judged{outcome: outcomeOf(&s, result)}
	if j.bound, err = limit(&s, result, false); err == nil {
		j.due, err = limit(&s, result, true)
	}
	return j, err
}

// show adds a run's figures to the board.
func (j judged) show(b *board, policy string) {
	for _, f := range []struct {
		metric string
		value  float64
	}{
		{"missed_deadlines", j.missed}, {"total_tct_hours", j.tct}, {"failed_jobs", j.failedJobs},
		{"failed_tasks", j.failedTasks}, {"average_lateness_s", j.late}, {"wasted_hours", j.wasted},
		{"over_predicted_share", j.overShare}, {"over_predicted_by", j.over}, {"under_predicted_by", j.under},
		{"bound_hours", j.bound}, {"bound_due_hours", j.due}, {"end_hours", j.end},
	} {
		b.add(policy, f.metric, f.value)
	}
}

package simulated

import (
	"context"
	"errors"

	"lull/sim"
	"lull/test/papers/truth"
	"lull/test/report"
)

// table3 is MIMP's case study on the declared and the measured curves.
func table3(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"missed: finished after the deadline. failed: the client gave up 600 s after the deadline (Hadoop's time-out).",
		"wasted: attempts that were not committed, among them second ones whose rival was faster.",
		"bound: no schedule of the tasks that a run committed, ended when it ended, takes less; bound_due: nor one that keeps each deadline too, or the job's end if that was later.",
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

func caseStudyOn(ctx context.Context, o options, r *report.Report, curves string, types []sim.Truth) error {
	policies := o.among("fifo", "edf", "mp", "mp+")
	var variants []variant
	for _, p := range policies {
		variants = append(variants, variant{label("curves", curves), p, func(seed uint64) (sim.Scenario, error) {
			return caseStudy(o, types, p, seed)
		}})
	}
	b, err := sweep(ctx, o, variants, table3Row)
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, b.rows()...)
	compare(r, b.boards[0], policies, curves)
	return nil
}

// table3Row is what table 3 says of a run, with its bounds.
func table3Row(s *sim.Scenario, r *sim.Result) ([]value, error) {
	bound, err := limit(s, r, false)
	if err != nil {
		return nil, err
	}
	due, err := limit(s, r, true)
	if err != nil {
		return nil, err
	}
	o := outcomeOf(s, r)
	return []value{
		{"missed_deadlines", o.missed}, {"total_tct_hours", o.tct}, {"failed_jobs", o.failedJobs},
		{"failed_tasks", o.failedTasks}, {"average_lateness_s", o.late}, {"wasted_hours", o.wasted},
		{"over_predicted_share", o.overShare}, {"over_predicted_by", o.over}, {"under_predicted_by", o.under},
		{"bound_hours", bound}, {"bound_due_hours", due}, {"end_hours", r.End.Hours()},
	}, nil
}

package simulated

import (
	"context"
	"time"

	"lull/sim"
	"lull/slotter"
	"lull/subjects"
	"lull/test/papers/truth"
	"lull/test/papers/workload"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// injected are the model errors of MIMP's figure 9.
var injected = []float64{0, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30}

// figure9 injects errors into the models: an hour of pi and terasort on four
// shared nodes.
func figure9(ctx context.Context, o options) (*report.Report, error) {
	var variants []variant
	policies := o.among("mp", "mp+")
	for _, e := range tables.Some(o.Quick, injected, 0, 2, 4) {
		for _, p := range policies {
			variants = append(variants, variant{label("error", e), p, func(seed uint64) (sim.Scenario, error) {
				return errorStudy(p, e, seed)
			}})
		}
	}
	b, err := sweep(ctx, o, variants, func(s *sim.Scenario, r *sim.Result) ([]value, error) {
		done := outcomeOf(s, r)
		return []value{{"total_tct_seconds", done.tct * 3600}, {"missed_deadlines", done.missed}}, nil
	})
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows(), Notes: []string{
		"An error of e tilts every model: one end of its residuals is predicted e too long, the other e too short; which one is drawn by type and seed. Models stay as they are.",
	}}
	for _, p := range policies {
		r.Checks = append(r.Checks, figure9Checks(b, p)...)
	}
	return r, nil
}

// errorStudy has models that know the true means, but for the error.
func errorStudy(policy string, e float64, seed uint64) (sim.Scenario, error) {
	s, err := smallStudy(policy, subjects.ModeAll, 0.8, time.Hour, seed)
	if err != nil {
		return s, err
	}
	s.Slotter = slotter.Config{Policy: policy, Models: slotter.ModelsFixed}
	s.Models, err = truth.Train(truth.Tilt(s.Types, e, workload.Random(seed, "error")), workload.Random(seed, "training"))
	return s, err
}

// figure9Checks: up to 10 % is harmless in the paper, 20 % costs 14 %.
func figure9Checks(b *book, policy string) []report.Check {
	change := func(e float64) float64 {
		at, base := b.page(label("error", e)), b.page(label("error", injected[0]))
		const metric = "total_tct_seconds"
		return 100 * stat.Ratio(at.of(policy, metric), base.of(policy, metric)).Mean
	}
	return []report.Check{
		report.AtMost(policy+": 10 % of error adds to total TCT, %", change(0.10), 3),
		report.AtMost(policy+": 20 % of error adds to total TCT, %", change(0.20), 14).WithPaper(100 * (13790.0/12100 - 1)),
	}
}

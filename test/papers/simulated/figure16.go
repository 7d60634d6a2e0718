package simulated

import (
	"context"
	"strings"

	"lull/sim"
	"lull/test/papers/truth"
	"lull/test/report"
)

// figure16 is which servers ran each type's tasks in the case study: those
// with a medium or heavy load, or the dedicated and lightly loaded ones.
func figure16(ctx context.Context, o options) (*report.Report, error) {
	var variants []variant
	policies := o.among("edf", "mp", "mp+")
	for _, p := range policies {
		variants = append(variants, variant{nil, p, func(seed uint64) (sim.Scenario, error) {
			return caseStudy(o, truth.Declared(), p, seed)
		}})
	}
	b, err := caseStudies.sweep(ctx, o, variants, "figure16")
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows(), Notes: []string{"Share of a type's tasks that ran on servers with a medium or heavy load; the others are the rest."}}
	for _, p := range policies {
		if p != "edf" {
			gap := b.boards[0].mean(p, "loaded sort").Mean - b.boards[0].mean(p, "loaded pi").Mean
			r.Checks = append(r.Checks, report.AtLeast(p+": share of sort's tasks on loaded servers less pi's", gap, 0))
		}
	}
	return r, nil
}

func loadedShares(_ *sim.Scenario, result *sim.Result) (values []value, err error) {
	all, loaded := map[string]float64{}, map[string]float64{}
	for _, r := range result.Runs {
		if r.Outcome == "committed" {
			all[r.Type]++
			if strings.HasPrefix(r.Host, "medium") || strings.HasPrefix(r.Host, "heavy") {
				loaded[r.Type]++
			}
		}
	}
	for _, t := range truth.Types {
		values = append(values, value{"loaded " + t.Name, loaded[t.Name] / all[t.Name]})
	}
	return values, nil
}

package simulated

import (
	"context"
	"fmt"
	"slices"

	"lull/sim"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// byType are the committed attempts' seconds of each type, sorted.
func byType(runs []sim.RunResult) map[string][]float64 {
	seconds := map[string][]float64{}
	for _, r := range runs {
		if r.Outcome == "committed" {
			seconds[r.Type] = append(seconds[r.Type], (r.End - r.Start).Seconds())
		}
	}
	for _, s := range seconds {
		slices.Sort(s)
	}
	return seconds
}

func bothMean(seconds map[string][]float64) float64 {
	return stat.Mean(append(slices.Clone(seconds["pi"]), seconds["terasort"]...)).Mean
}

// figure12 is the average TCT of each type over utilisation.
func figure12(ctx context.Context, o options) (*report.Report, error) {
	b, err := overloads.sweep(ctx, o, o.behind(tables.Some(o.Quick, utilisations, 0, len(utilisations)-1)), "figure12")
	if err != nil {
		return nil, err
	}
	return &report.Report{Rows: b.rows(), Notes: []string{
		"The paper, at a utilisation of 1: with MP terasort's tasks are shorter than with EDF, and pi's longer.",
	}}, nil
}

func completionTimes(_ *sim.Scenario, r *sim.Result) ([]value, error) {
	seconds := byType(r.Runs)
	return []value{
		{"tct_s pi", stat.Mean(seconds["pi"]).Mean}, {"tct_s terasort", stat.Mean(seconds["terasort"]).Mean},
		{"tct_s both", bothMean(seconds)},
	}, nil
}

// longer is the type with tasks that are not shorter with a policy than with EDF.
var longer = map[string]string{"mp": "terasort", "mp+": "pi"}

// cdf is the distribution of one type's TCT at a utilisation of 0.8.
func cdf(ctx context.Context, o options, name, table string) (*report.Report, error) {
	b, err := overloads.sweep(ctx, o, o.behind([]float64{0.8}), table)
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows(), Notes: []string{"The paper: MP's tasks are shorter than EDF's, by a modest part, because of four slots one alone is much better."}}
	for _, p := range []string{"mp", "mp+"} {
		if len(o.among(p, "edf")) == 2 {
			row, change := b.boards[0].against(p, "tct_s mean", true)
			both, all := b.boards[0].against(p, "tct_s mean of both types", true)
			r.Rows = append(r.Rows, row, both)
			shorter := report.AtMost(fmt.Sprintf("%s: mean TCT of %s over edf's, %%", p, name), 100*change.Mean, 0)
			if longer[p] == name {
				shorter = shorter.Unreached()
			}
			r.Checks = append(r.Checks, shorter,
				report.AtMost(p+": mean TCT of both types over edf's, %", 100*all.Mean, 0))
		}
	}
	return r, nil
}

// distribution reads the distribution of one type's TCT off a run.
func distribution(name string) measure {
	return func(_ *sim.Scenario, r *sim.Result) ([]value, error) {
		types := byType(r.Runs)
		seconds := types[name]
		var values []value
		for q := 10; q <= 90; q += 10 {
			values = append(values, value{fmt.Sprintf("tct_s p%d", q), stat.Quantile(seconds, float64(q)/100)})
		}
		return append(values, value{"within 10 s, share", within(seconds, 10)}, value{"tct_s mean", stat.Mean(seconds).Mean},
			value{"tct_s mean of both types", bothMean(types)}), nil
	}
}

func within(sorted []float64, seconds float64) float64 {
	i, _ := slices.BinarySearch(sorted, seconds)
	return float64(i) / float64(len(sorted))
}

func figure13(ctx context.Context, o options) (*report.Report, error) {
	return cdf(ctx, o, "terasort", "figure13")
}

func figure14(ctx context.Context, o options) (*report.Report, error) {
	return cdf(ctx, o, "pi", "figure14")
}

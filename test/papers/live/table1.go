package live

import (
	"context"

	"lull/hostctl/pace"
	"lull/test/report"
	"lull/test/tables"
)

// table1R2 is what Park and Humphrey print for the operators, in their order.
var table1R2 = []float64{0.85, 0.74, 0.87, 0.93}

// controlTable1 identifies the operators on this machine.
func controlTable1(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		"T(k) = a·T(k−1) + b·C(k−1), T in MB/s at the task's input, C in cores, a sample of 200 ms, eight sines of the cap",
		"of seven samples each, from 0.05 to 1 core; cycles that are obviously noisy are left out. The paper samples every 2 s,",
		"so its a is of another length of time. steady: b/(1−a), at one core. settling: predicted, in samples, with the chosen",
		"gains; worst: anywhere within a ± 0.2 and b × ½ to × 2.",
		again,
	}}
	err := withBench(ctx, 1, func(b *bench) error {
		r.Notes = append(r.Notes, "cap: "+b.rig.How())
		for _, i := range tables.Some(o.Quick, []int{0, 1, 2, 3}, 0, 3) {
			learnt, taken, err := b.identify(ctx, operators[i])
			if err != nil {
				return err
			}
			r.Rows = append(r.Rows, append(table1Row(operators[i], learnt), report.Cell{Key: "stolen_percent", Value: 100 * taken}))
			r.Checks = append(r.Checks, report.AtLeast(operators[i].name+": R²", learnt.Model.R2, 0.85).WithPaper(table1R2[i]))
		}
		return nil
	})
	return r, err
}

func table1Row(op operator, l *pace.Learnt) report.Row {
	m := l.Model
	row := report.Row{
		{Key: "operator", Value: op.name}, {Key: "program", Value: op.program}, {Key: "a", Value: m.A}, {Key: "b_mb_s", Value: m.B / 1e6},
		{Key: "r2", Value: m.R2}, {Key: "samples", Value: m.Samples}, {Key: "steady_mb_s", Value: m.Steady(1) / 1e6},
	}
	g, err := pace.GainsFor(m, pace.Robust)
	if err != nil {
		return append(row, report.Cell{Key: "refused", Value: err.Error()})
	}
	return append(row, report.Cell{Key: "kp_cores_per_mb_s", Value: g.Kp * 1e6}, report.Cell{Key: "ki", Value: g.Ki * 1e6},
		report.Cell{Key: "settling", Value: g.Settling}, report.Cell{Key: "worst", Value: g.SettlingWorst}, report.Cell{Key: "refused", Value: l.Refused})
}

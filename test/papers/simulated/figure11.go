package simulated

import (
	"context"
	"time"

	"lull/sim"
	"lull/subjects"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// utilisations are the utilisations in MIMP's figures 11 and 12: offered work over what
// the cluster can do.
var utilisations = []float64{0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0}

const overload = 30 * time.Minute

// admissionWays are the ways in: a policy, and which jobs admission admits.
var admissionWays = []struct{ name, policy, mode string }{
	{"edf", "edf", subjects.ModeAll},
	{"mp", "mp", subjects.ModeAll},
	{"mp eq7", "mp", subjects.ModeEq7},
	{"mp affected", "mp", subjects.ModeAffected},
	{"mp+", "mp+", subjects.ModeAll},
	{"mp+ eq7", "mp+", subjects.ModeEq7},
	{"mp+ affected", "mp+", subjects.ModeAffected},
}

// behind are the variants of all admissionWays, which lead to the policies, by
// utilisation.
func (o options) behind(utilisations []float64) (variants []variant) {
	for _, u := range utilisations {
		for _, d := range admissionWays {
			if len(o.among(d.policy)) == 0 {
				continue
			}
			variants = append(variants, variant{label("utilisation", u), d.name, func(seed uint64) (sim.Scenario, error) {
				return smallStudy(d.policy, d.mode, u, overload, seed)
			}})
		}
	}
	return variants
}

// figure11 overloads the cluster: which jobs met their deadlines, missed them,
// or were turned away.
func figure11(ctx context.Context, o options) (*report.Report, error) {
	b, err := overloads.sweep(ctx, o, o.behind(tables.Some(o.Quick, utilisations, 0, len(utilisations)-1)), "figure11")
	if err != nil {
		return nil, err
	}
	r := &report.Report{Rows: b.rows(), Notes: []string{
		"Jobs. missed: finished late, or given up by the client. eq7 is the paper's admission, affected the default.",
	}}
	for _, d := range admissionWays {
		switch {
		case len(o.among(d.policy)) == 0:
		case d.mode == subjects.ModeAffected:
			r.Checks = append(r.Checks, report.AtLeast(d.name+": admitted jobs that met their deadlines, %", 100*kept(b, d.name), 99))
		case d.mode == subjects.ModeEq7 && len(o.among(baseline)) > 0:
			last := b.boards[len(b.boards)-1]
			more := stat.Difference(last.of(d.name, "met"), last.of(baseline, "met"))
			r.Checks = append(r.Checks, report.AtLeast(d.name+": jobs in time more than with edf, at twice what the cluster can do", more.Low, 0))
		}
	}
	return r, nil
}

func dueTimes(s *sim.Scenario, r *sim.Result) ([]value, error) {
	done := outcomeOf(s, r)
	return []value{{"met", done.met}, {"missed", done.missed + done.failedJobs}, {"rejected", done.rejected}}, nil
}

// kept is the share of admitted jobs that met their deadlines, over all
// utilisations and seeds.
func kept(b *book, door string) float64 {
	met, admitted := 0.0, 0.0
	for _, page := range b.boards {
		for i, m := range page.of(door, "met") {
			met, admitted = met+m, admitted+m+page.of(door, "missed")[i]
		}
	}
	return met / admitted
}

package tct

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"lull/test/report"
	"lull/test/steal"
)

// table is the report: Table 2, the curves, and the rounds behind them.
func table(c *campaign, curves []learnt) *report.Report {
	r := &report.Report{}
	for i := range curves {
		r.Rows = append(r.Rows, curves[i].quality())
	}
	for i := range curves {
		if curves[i].model != nil {
			r.Rows = append(r.Rows, curves[i].shape())
		}
	}
	for i, x := range c.all {
		r.Rows = append(r.Rows, x.row(i+1))
	}
	r.Checks = checks(c, curves)
	r.Notes = append(notes(c, curves), strings.Split(figureText(curves), "\n")...)
	return r
}

// quality is a type's row of Table 2.
func (l *learnt) quality() report.Row {
	live, made := math.NaN(), math.NaN()
	if l.live != nil {
		live = l.live.NRMSE
	}
	if l.made.n >= 10 { // the range of a few is no measure
		made = l.made.nrmse
	}
	return report.Row{
		{Key: "type", Value: l.name}, {Key: "samples", Value: l.outside.n},
		{Key: "nrmse_%", Value: hundred(l.outside.nrmse)}, {Key: "paper_%", Value: hundred(l.paper)},
		{Key: "live_fit_%", Value: hundred(live)}, {Key: "live_made_%", Value: hundred(made)}, {Key: "live_made", Value: l.made.n},
		{Key: "over_%", Value: hundred(l.outside.over)}, {Key: "over_by_%", Value: hundred(l.outside.overBy)},
		{Key: "under_by_%", Value: hundred(l.outside.under)}, {Key: "noise_%", Value: hundred(l.noise)},
	}
}

// hundred is a share in percent, nothing for what is no number: JSON has none.
func hundred(x float64) any {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return "-"
	}
	return 100 * x
}

// shape is a type's curve: its coefficients (equation 1) and times.
func (l *learnt) shape() report.Row {
	m := l.model
	return report.Row{
		{Key: "model", Value: l.name}, {Key: "a", Value: m.A}, {Key: "b", Value: m.B}, {Key: "c", Value: m.C}, {Key: "d", Value: m.D},
		{Key: "low", Value: m.Low}, {Key: "high", Value: m.High},
		{Key: "tct_1_s", Value: l.curve.Seconds(1)}, {Key: "tct_0.5_s", Value: l.curve.Seconds(0.5)}, {Key: "tct_0.1_s", Value: l.curve.Seconds(0.1)},
		{Key: "norm_0.5", Value: l.curve.Norm(0.5)}, {Key: "norm_0.1", Value: l.curve.Norm(0.1)}, {Key: "read_MB_s", Value: l.read / 1e6},
	}
}

func (r *round) row(n int) report.Row {
	return report.Row{
		{Key: "round", Value: n}, {Key: "asked_%", Value: 100 * r.asked}, {Key: "got_%", Value: 100 * r.got},
		{Key: "residual", Value: r.residual}, {Key: "stolen_%", Value: 100 * r.stolen},
		{Key: "tasks", Value: r.tasks}, {Key: "discarded", Value: cmp.Or(r.why, "-")},
	}
}

func checks(c *campaign, curves []learnt) (list []report.Check) {
	for i := range curves {
		if curves[i].outside.n == 0 {
			continue // nothing was predicted: the last check says so
		}
		list = append(list, report.AtMost("NRMSE of "+curves[i].name+", out of sample, %, against the paper's worst",
			100*curves[i].outside.nrmse, 100*worstPaper))
	}
	off := 0.0
	for _, r := range c.all {
		off += math.Abs(r.asked-r.got) / float64(len(c.all))
	}
	whole := 1.0
	if c.short != nil {
		whole = 0
	}
	return append(list, report.AtLeast("measured to the end", whole, 1),
		report.AtMost("primary, distance of asked and got, % of the machine, mean of rounds", 100*off, 3),
		report.AtLeast("types with a model", float64(modelled(curves)), float64(len(curves))))
}

func modelled(curves []learnt) (n int) {
	for i := range curves {
		if curves[i].model != nil {
			n++
		}
	}
	return n
}

func notes(c *campaign, curves []learnt) []string {
	discarded := 0
	for _, r := range c.all {
		if r.why != "" {
			discarded++
		}
	}
	all, overs, overBy, unders, underBy := 0, 0.0, 0.0, 0.0, 0.0
	for _, l := range curves {
		n, over := float64(l.outside.n), l.outside.over*float64(l.outside.n)
		all, overs, unders = all+l.outside.n, overs+over, unders+n-over
		overBy, underBy = overBy+over*l.outside.overBy, underBy+(n-over)*l.outside.under
	}
	early := "Measured to the end."
	if c.short != nil {
		early = "Ended early: " + c.short.Error() + "."
	}
	return []string{
		early,
		"Class in force: " + cmp.Or(c.class, "unknown") + ".",
		fmt.Sprintf("%d rounds, %d discarded (more than %.0f %% of the CPU stolen, or starved; the live slotter learnt from them, too).", len(c.all), discarded, 100*steal.Most),
		"nrmse: a round's tasks predicted by models of other rounds, with the residual known at their assignment.",
		"live_fit: as the running slotter scored its last model; live_made: the predictions it made when it assigned.",
		fmt.Sprintf("Of %d predictions %.0f %% were too long, by %.0f %% on average; the others too short by %.0f %% (the paper: 57 %%, 35 %%, 29 %%).",
			all, 100*overs/float64(max(all, 1)), 100*overBy/max(overs, 1), 100*underBy/max(unders, 1)),
	}
}

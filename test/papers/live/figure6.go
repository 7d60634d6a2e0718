package live

import (
	"context"
	"fmt"
	"math"

	"lull/hostctl/pacing"
	"lull/hostctl/rig"
	"lull/test/report"
	"lull/test/steal"
)

// figure6Part is the samples of each part of a trace: alone, beside the background
// job, and at another reference.
const figure6Part = 45

// controlFigure6 traces one task of each application: its throughput, reference and
// cap, while a competing job comes and the reference changes.
func controlFigure6(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		fmt.Sprintf("Each task: %d samples of 200 ms at 40 %% of what a core gives, then beside a grep at 10 MB/s in another slot,", figure6Part),
		"then at 70 %. off: mean after 15 samples over the reference, less one. settling: samples until the mean of each",
		"second is near it for three seconds: within 10 %, or within one of the runs of 4 MiB that order-by reads. outside:",
		"share of the later seconds that are not. swings: from one limit of the cap to the other within a sample.",
		again,
	}}
	return r, figure{title: "Controlled throughput of a task", slots: 2, quick: []int{0, 3}, trace: traceFigure6}.fill(ctx, o, r)
}

func traceFigure6(ctx context.Context, b *bench, app operator, steady float64) ([]stretch, []pacing.Moment, error) {
	trace, taken, err := steal.Least(ctx, func() ([]pacing.Moment, error) { return b.figure6(ctx, app, steady) })
	if err != nil {
		return nil, nil, err
	}
	return of(app, taken, stretches([][]pacing.Moment{trace})), trace, nil
}

func (b *bench) figure6(ctx context.Context, app operator, steady float64) ([]pacing.Moment, error) {
	run, err := b.start(ctx, app, 0.4*steady, 1)
	if err != nil {
		return nil, err
	}
	if err := wait(ctx, figure6Part); err != nil {
		return nil, err
	}
	rival, err := b.start(ctx, operators[0], backgroundRate, 0)
	if err != nil {
		return nil, err
	}
	if err := wait(ctx, figure6Part); err != nil {
		return nil, err
	}
	run.Pace(0.7 * steady)
	if err := wait(ctx, figure6Part); err != nil {
		return nil, err
	}
	trace, _ := run.Moments()
	return trace, stopAll(ctx, []*rig.Run{run, rival})
}

func controlRows(app operator, parts []stretch) (rows []report.Row) {
	for _, s := range parts {
		rows = append(rows, report.Row{
			{Key: "application", Value: app.name}, {Key: "reference_mb_s", Value: s.reference / 1e6}, {Key: "samples", Value: len(s.rates)},
			{Key: "mean_mb_s", Value: mean(s.rates) / 1e6}, {Key: "off_percent", Value: 100 * s.off()},
			{Key: "settling", Value: s.settling()}, {Key: "outside_percent", Value: 100 * s.outside()}, {Key: "swings", Value: s.swings()}, {Key: "mean_cap", Value: mean(s.caps)},
			{Key: "stolen_percent", Value: 100 * s.stolen},
		})
	}
	return rows
}

// controlChecks holds the worst stretch against what is expected: the paper's
// controllers settle in 15 to 25 samples.
func controlChecks(name string, parts []stretch) []report.Check {
	off, settling, swings := 0.0, 0, 0
	for _, s := range parts {
		off, settling, swings = max(off, math.Abs(s.off())), max(settling, s.settling()), max(swings, s.swings())
	}
	return []report.Check{
		report.AtMost(name+": mean off the reference, %", 100*off, 3),
		report.AtMost(name+": samples to settle", float64(settling), settlePatience).WithPaper(20),
		report.AtMost(name+": swings of the cap between its limits", float64(swings), 0),
	}
}

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

const (
	figure7Workers = 2
	// figure7Part is the samples at each capacity.
	figure7Part = 40
)

// figure7Shares are the capacities that a job is given one after the other, as shares of what its
// program does on one core; its workers have equal parts.
var figure7Shares = []float64{0.4, 0.7, 1}

// controlFigure7 follows the throughput of whole jobs at three capacities beside a
// background job.
func controlFigure7(ctx context.Context, o options) (*report.Report, error) {
	r := &report.Report{Notes: []string{
		fmt.Sprintf("Each job has %d workers with equal parts of its capacity (T/K), beside a grep at 10 MB/s; %d samples of 200 ms at each", figure7Workers, figure7Part),
		"of three capacities: 40, 70 and 100 % of what its program does on one core. Figures are of all its workers together.",
		again,
	}}
	return r, figure{title: "Aggregate throughput of a job at three capacities", slots: figure7Workers + 1, quick: []int{1, 3}, trace: traceFigure7}.fill(ctx, o, r)
}

func traceFigure7(ctx context.Context, b *bench, app operator, steady float64) (parts []stretch, trace []pacing.Moment, err error) {
	for n := range figure7Shares {
		traces, taken, err := steal.Least(ctx, func() ([][]pacing.Moment, error) { return b.figure7(ctx, app, steady, n) })
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, of(app, taken, stretches(traces))...)
		trace = append(trace, together(traces)...)
	}
	return parts, trace, nil
}

// figure7 runs a job at one of the capacities, from its start or, but for the first,
// from the capacity before, and returns its workers' samples since.
func (b *bench) figure7(ctx context.Context, app operator, steady float64, n int) ([][]pacing.Moment, error) {
	rival, err := b.start(ctx, operators[0], backgroundRate, 0)
	if err != nil {
		return nil, err
	}
	var runs []*rig.Run
	for range figure7Workers {
		run, err := b.start(ctx, app, figure7Shares[max(n-1, 0)]*steady/figure7Workers, 1)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	if n > 0 {
		if err := wait(ctx, settlePatience); err != nil {
			return nil, err
		}
		for _, run := range runs {
			run.Pace(figure7Shares[n] * steady / figure7Workers)
		}
	}
	if err := wait(ctx, figure7Part); err != nil {
		return nil, err
	}
	return latest(moments(runs)), stopAll(ctx, append(runs, rival))
}

// latest are the samples since the references changed last.
func latest(tasks [][]pacing.Moment) (list [][]pacing.Moment) {
	for _, t := range tasks {
		from := len(t)
		for from > 0 && math.Abs(t[from-1].Reference-t[len(t)-1].Reference) <= 1 {
			from--
		}
		list = append(list, t[from:])
	}
	return list
}

// together is the sum of some tasks' samples.
func together(tasks [][]pacing.Moment) (sum []pacing.Moment) {
	for k, m := range tasks[0] {
		for _, t := range tasks[1:] {
			if k >= len(t) {
				return sum
			}
			m.Rate, m.Reference, m.Cap = m.Rate+t[k].Rate, m.Reference+t[k].Reference, m.Cap+t[k].Cap
		}
		sum = append(sum, m)
	}
	return sum
}

package simulated

import (
	"math"

	"lull/test/report"
	"lull/test/stat"
)

// board collects figures: for each policy and metric one value a seed.
type board struct {
	labels []report.Cell // of all its rows, before policy and metric
	order  []figure
	values map[figure][]float64
}

type figure struct{ policy, metric string }

func newBoard(labels ...report.Cell) *board {
	return &board{labels: labels, values: map[figure][]float64{}}
}

// add appends the next seed's value. NaN, of a mean over nothing, is kept to
// keep seeds apart, and left out of estimates.
func (b *board) add(policy, metric string, value float64) {
	f := figure{policy, metric}
	if _, ok := b.values[f]; !ok {
		b.order = append(b.order, f)
	}
	b.values[f] = append(b.values[f], value)
}

func (b *board) of(policy, metric string) []float64 { return b.values[figure{policy, metric}] }

func (b *board) mean(policy, metric string) stat.Estimate {
	var numbers []float64
	for _, v := range b.of(policy, metric) {
		if !math.IsNaN(v) {
			numbers = append(numbers, v)
		}
	}
	return stat.Mean(numbers)
}

// rows are the estimates in the order in which the figures came.
func (b *board) rows() []report.Row {
	var rows []report.Row
	for _, f := range b.order {
		if e := b.mean(f.policy, f.metric); !math.IsNaN(e.Mean) {
			rows = append(rows, b.row(f.policy, f.metric, e))
		}
	}
	return rows
}

func (b *board) row(policy, metric string, e stat.Estimate) report.Row {
	row := append(report.Row{}, b.labels...)
	return append(row, report.Cell{Key: "policy", Value: policy}, report.Cell{Key: "metric", Value: metric},
		report.Cell{Key: "mean", Value: e.Mean}, report.Cell{Key: "low", Value: e.Low}, report.Cell{Key: "high", Value: e.High})
}

// baseline is the policy that others are compared with, as in the paper.
const baseline = "edf"

// against is a row with how much more of a metric a policy has than the baseline, paired by seed:
// as a share with relative, else as a difference.
func (b *board) against(policy, metric string, relative bool) (report.Row, stat.Estimate) {
	ours, theirs := b.of(policy, metric), b.of(baseline, metric)
	if relative {
		e := stat.Ratio(ours, theirs)
		return b.row(policy+" / "+baseline, metric+" − 1", e), e
	}
	e := stat.Difference(ours, theirs)
	return b.row(policy+" − "+baseline, metric, e), e
}

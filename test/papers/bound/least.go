package bound

import (
	"math"

	"lull/subjects/tct"
)

// State is a time that hosts spent with so much idle CPU.
type State struct {
	Idle    float64 // cores
	Slots   int     // of the host
	Seconds float64 // host-seconds
}

// Interval is a part of the time, from the end of the one before it. Arrived and Due are by type,
// cumulative from the begin, in tasks weighted with their factors: what may have been done by the
// interval's end, and what must.
type Interval struct {
	States       []State
	Arrived, Due []float64
}

// Least returns the least total task time, in seconds, in which the work can
// be done, or less: see the package. curves[j] gives the seconds of a task of
// type j with factor 1 at a residual. It fails if the work does not fit.
func Least(curves []func(residual float64) float64, intervals []Interval) (float64, error) {
	p := build(curves, intervals)
	prices, err := p.prices()
	if err != nil {
		return 0, err
	}
	return p.prove(prices), nil
}

// place is a way to do work: in an interval's state beside n−1 others.
type place struct {
	interval, state, busy int
	residual              float64
}

// places lists them. Below tct.MinResidual no task is started, but a load that
// rises may carry one there; that is counted at MinResidual, in its favour.
func places(intervals []Interval) []place {
	var all []place
	for k, interval := range intervals {
		for s, state := range interval.States {
			for n := 1; n <= state.Slots && state.Seconds > 0; n++ {
				r := max(tct.Residual(state.Idle, n), tct.MinResidual)
				all = append(all, place{k, s, n, r})
			}
		}
	}
	return all
}

func build(curves []func(float64) float64, intervals []Interval) *program {
	b := &builder{curves: len(curves), places: places(intervals)}
	b.p.cost = make([]float64, len(curves)*len(b.places))
	for j, curve := range curves {
		for i, at := range b.places {
			b.p.cost[b.column(j, i)] = curve(at.residual)
		}
	}
	for k := range intervals {
		b.capacity(k, intervals[k].States)
		for j := range curves {
			b.upTo(k, j, 1, intervals[k].Due[j])
			b.upTo(k, j, -1, -intervals[k].Arrived[j])
		}
	}
	return &b.p
}

type builder struct {
	p      program
	curves int
	places []place
}

func (b *builder) column(curve, place int) int { return curve*len(b.places) + place }

// capacity: n busy slots share the host-seconds of a state.
func (b *builder) capacity(k int, states []State) {
	for s, state := range states {
		row := make([]float64, len(b.p.cost))
		for i, at := range b.places {
			for j := 0; j < b.curves && at.interval == k && at.state == s; j++ {
				c := b.column(j, i)
				row[c] = -b.p.cost[c] / float64(at.busy)
			}
		}
		b.row(row, -state.Seconds)
	}
}

// upTo: sign times the work of type j up to interval k is at least need.
func (b *builder) upTo(k, j int, sign, need float64) {
	if sign > 0 && need <= 0 || math.IsInf(need, -1) {
		return // always so
	}
	row := make([]float64, len(b.p.cost))
	for i, at := range b.places {
		if at.interval <= k {
			row[b.column(j, i)] = sign
		}
	}
	b.row(row, need)
}

func (b *builder) row(row []float64, need float64) {
	b.p.rows, b.p.need = append(b.p.rows, row), append(b.p.need, need)
}

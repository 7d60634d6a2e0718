package pace

import (
	"errors"
	"fmt"
	"math"
)

// LeastR2 is the lowest R² of a fit that is used for control. The paper's lowest is 0.74
// (Table 1, GroupBy).
const LeastR2 = 0.7

// pair is one equation: the throughput at k, and the values at k−1 that predict it.
type pair struct {
	t, c  float64 // T(k−1), C(k−1)
	next  float64 // T(k)
	cycle int
}

func (p pair) residual(m Model) float64 { return p.next - m.A*p.t - m.B*p.c }

// Identify fits the model to a trace. T[k] in bytes/s is the throughput over the sample
// that ended at k, NaN where a sample is missing. C[k] in cores is the cap in force from
// then on. Noisy cycles of the sine are left out: see quiet. The error is the reason not to
// use the model, which is returned all the same, for people.
func Identify(T, C []float64) (Model, error) {
	if len(T) != len(C) {
		return Model{}, fmt.Errorf("a trace needs as many caps as throughputs: it has %d throughputs and %d caps", len(T), len(C))
	}
	all := pairs(T, C)
	if err := informative(all); err != nil {
		return Model{}, err
	}
	kept := all
	var m Model
	for range 3 { // the noise that is to be found distorts the first fit
		var ok bool
		if m, ok = fit(kept); !ok {
			return Model{}, errUnmoved
		}
		kept = quiet(all, m)
	}
	m, _ = fit(kept)
	m.R2, m.Samples = explained(kept, m), len(kept)
	return m, m.refusal()
}

var errUnmoved = errors.New("the cap varied too little to show how throughput follows it")

// pairs returns the equations of a trace, without those in which a sample is missing.
func pairs(T, C []float64) []pair {
	var all []pair
	for k := 1; k < len(T); k++ {
		if p := (pair{T[k-1], C[k-1], T[k], (k - 1) / Period}); finite(p.t, p.c, p.next) {
			all = append(all, p)
		}
	}
	return all
}

func finite(values ...float64) bool {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}

// informative returns an error if a trace cannot determine a model, however good the fit.
func informative(all []pair) error {
	if len(all) < LeastCycles*Period-1 {
		return fmt.Errorf("%d samples of %v are too few: it takes %d whole cycles of %d",
			len(all)+1, Sample, LeastCycles, Period)
	}
	low, high, most := math.Inf(1), 0.0, 0.0
	for _, p := range all {
		low, high, most = min(low, p.c), max(high, p.c), max(most, p.next)
	}
	switch {
	case most <= 0:
		return errors.New("it read no input while it was measured")
	case high-low < 0.2*high:
		return errUnmoved
	}
	return nil
}

// fit solves the normal equations. Throughput is scaled to its largest value: bytes/s
// beside cores would cost half of the digits.
func fit(kept []pair) (m Model, ok bool) {
	unit := 0.0
	for _, p := range kept {
		unit = max(unit, math.Abs(p.t), math.Abs(p.next))
	}
	var tt, tc, cc, tn, cn float64
	for _, p := range kept {
		t, next := p.t/unit, p.next/unit
		tt, tc, cc = tt+t*t, tc+t*p.c, cc+p.c*p.c
		tn, cn = tn+t*next, cn+p.c*next
	}
	det := tt*cc - tc*tc
	if !(det > 1e-6*tt*cc) {
		return m, false
	}
	return Model{A: (tn*cc - cn*tc) / det, B: unit * (cn*tt - tn*tc) / det}, true
}

// explained is R²: one minus the share of the variance that the model does not explain.
func explained(kept []pair, m Model) float64 {
	mean := 0.0
	for _, p := range kept {
		mean += p.next / float64(len(kept))
	}
	var left, all float64
	for _, p := range kept {
		r := p.residual(m)
		left, all = left+r*r, all+(p.next-mean)*(p.next-mean)
	}
	if !(all > 0) {
		return 0
	}
	return 1 - left/all
}

// refusal is the reason not to use the model, nil if it may be used.
func (m Model) refusal() error {
	switch {
	case !m.Usable():
		return fmt.Errorf("its throughput does not follow its cap (a = %.2f, b = %.3g)", m.A, m.B)
	case m.R2 < LeastR2:
		return fmt.Errorf("the fit is poor (R² = %.2f, at least %.2f is needed): something other than the cap limits its throughput", m.R2, LeastR2)
	}
	return nil
}

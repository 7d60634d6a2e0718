package fit

import (
	"math"

	"lull/subjects/tct"
)

const (
	bins   = 16 // residual ranges that the window keeps apart
	perBin = 16 // latest samples kept of each
	recent = 16 // latest samples of all, to notice drift
)

// Sample is one finished task.
type Sample struct {
	Residual float64 `msgpack:"r"` // mean over the run: what made it take that long
	Known    float64 `msgpack:"k"` // when it was assigned: what a prediction could know
	Seconds  float64 `msgpack:"s"` // wall time
}

// Window holds a type's recent samples, at most 256, the latest 16 of each
// sixteenth of the residuals: a thousand tasks on idle hosts teach nothing
// about loaded ones, so they must not push out the few that do. The zero value
// is empty. It goes into snapshots as it is.
type Window struct {
	Seen   uint64         `msgpack:"seen"` // samples ever added
	Bins   [bins][]Sample `msgpack:"bins"` // oldest first
	Recent []Sample       `msgpack:"recent"`
}

// Add takes a sample in. It refuses, with false, one that no task can have
// shown: a residual or a time that is no finite number, or no time at all.
func (w *Window) Add(s Sample) bool {
	if !s.valid() {
		return false
	}
	s.Residual, s.Known = bound(s.Residual), bound(s.Known)
	bin := min(int(s.Residual*bins), bins-1)
	w.Bins[bin] = push(w.Bins[bin], s, perBin)
	w.Recent = push(w.Recent, s, recent)
	w.Seen++
	return true
}

// Samples lists what the window holds, by residual range, oldest first.
func (w *Window) Samples() []Sample {
	all := make([]Sample, 0, bins*perBin)
	for _, bin := range w.Bins {
		all = append(all, bin...)
	}
	return all
}

func (s Sample) valid() bool {
	return finite(s.Residual) && finite(s.Known) && finite(s.Seconds) && s.Seconds > 0
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// bound puts a residual where curves are defined.
func bound(r float64) float64 { return min(max(r, tct.MinResidual), 1) }

// push appends s and drops the oldest sample beyond limit.
func push(list []Sample, s Sample, limit int) []Sample {
	if len(list) < limit {
		return append(list, s)
	}
	copy(list, list[1:])
	list[len(list)-1] = s
	return list
}

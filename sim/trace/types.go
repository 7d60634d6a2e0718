package trace

import (
	"math"

	"lull/sim"
	"lull/subjects/spec"
)

// types gathers how long the tasks of each model take on an idle core.
type types struct {
	noise float64
	order []string
	of    map[string]*family
}

// family are the tasks of one model.
type family struct {
	least, most      float64 // seconds
	slowest, fastest float64 // seconds a byte
	seconds, bytes   float64 // of the first stage
	reads            bool    // all of them have input
}

func newTypes(noise float64) *types { return &types{noise: noise, of: map[string]*family{}} }

func (t *types) add(model string, s *spec.Stage) {
	seconds, bytes := s.Estimate.Seconds(), float64(s.Bytes)
	f := t.of[model]
	if f == nil {
		f = &family{least: seconds, most: seconds, fastest: math.Inf(1), seconds: seconds, bytes: bytes, reads: true}
		t.of[model], t.order = f, append(t.order, model)
	}
	f.least, f.most = min(f.least, seconds), max(f.most, seconds)
	if f.reads = f.reads && bytes > 0; f.reads {
		f.slowest, f.fastest = max(f.slowest, seconds/bytes), min(f.fastest, seconds/bytes)
	}
}

// truths returns what the simulator could not know from the jobs' estimates. A model with tasks
// that differ in more than their input has none: its stages' estimates count as true, and the differences
// as noise.
func (t *types) truths() (all []sim.Truth) {
	for _, model := range t.order {
		f := t.of[model]
		truth := sim.Truth{Type: model, Points: []sim.Point{{Residual: 1, Seconds: f.seconds}}, Noise: t.noise}
		if f.bytes > 0 {
			truth.Read = f.bytes / f.seconds
		}
		switch {
		case almostEqual(f.least, f.most):
		case f.reads && almostEqual(f.fastest, f.slowest):
			truth.Size = f.bytes
		default:
			continue
		}
		all = append(all, truth)
	}
	return all
}

// almostEqual compares with a tolerance for rounding to whole seconds or bytes.
func almostEqual(low, high float64) bool { return high <= low*1.02 }

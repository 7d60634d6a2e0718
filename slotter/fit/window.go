package fit

import (
	"errors"

	"lull/subjects"
)

const (
	bins   = 16 // residual ranges that the window keeps apart
	perBin = 16 // latest samples kept of each
	recent = 32 // latest samples of all, to notice drift
	latest = 16 // the very latest of them
)

var errForm = errors.New("a sample in the snapshot does not have seven numbers")

// Window has a model's recent samples: the latest 32 of all, and the latest 16 of each sixteenth of
// the residuals. A thousand tasks on idle hosts teach nothing about loaded ones, so they must not
// push out the few that do. The zero value is empty. It goes into snapshots as it is, in some ten
// kilobytes.
type Window struct {
	Seen   uint64         `msgpack:"seen"`   // samples ever added
	Before uint64         `msgpack:"before"` // of them, those before the tasks changed: see Adopt
	Bins   [bins][]Sample `msgpack:"bins"`   // oldest first
	Recent []Sample       `msgpack:"recent"`
}

// Add takes a sample in. It refuses, with false, one that no task can have
// shown: with a number that is not finite or negative, or no time at all.
func (w *Window) Add(s Sample) bool {
	if s.round(); !s.valid() {
		return false
	}
	s.Residual, s.Known = bound(s.Residual), bound(s.Known)
	s.round() // MinResidual is no float32
	w.Seen++
	s.at = w.Seen
	bin := min(int(s.Residual*bins), bins-1)
	push(&w.Bins[bin], &s, perBin)
	push(&w.Recent, &s, recent)
	return true
}

// Count is the number of samples since the tasks last changed.
func (w *Window) Count() uint64 { return w.Seen - w.Before }

// Adopt notes the present model. If it rests on the latest samples alone, counting begins anew with
// them, so that it is fitted again as soon as that of a new type.
func (w *Window) Adopt(f *subjects.Fitted) {
	if n := uint64(f.Samples); n < w.Count()/2 {
		w.Before = w.Seen - n
	}
}

// Samples lists what the window holds by residual range, oldest first: at most
// 256.
func (w *Window) Samples() []Sample { return w.since(0) }

// since lists the samples of the bins that came after the first so many.
func (w *Window) since(seen uint64) []Sample {
	all := make([]Sample, 0, bins*perBin)
	for _, bin := range w.Bins {
		for _, s := range bin {
			if s.at > seen {
				all = append(all, s)
			}
		}
	}
	return all
}

// latest are the very latest samples.
func (w *Window) latest() []Sample { return w.Recent[max(0, len(w.Recent)-latest):] }

// push appends s and drops the oldest sample beyond limit.
func push(list *[]Sample, s *Sample, limit int) {
	if len(*list) < limit {
		*list = append(*list, *s)
		return
	}
	copy(*list, (*list)[1:])
	(*list)[limit-1] = *s
}

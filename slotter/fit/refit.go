package fit

import (
	"slices"

	"lull/subjects"
)

// Refit returns the model to say next, false if the window has too few samples
// for one. It is that of the longest memory which the latest samples still
// follow: of the whole window, else of its last 64 samples, 32 or 16, so that a
// change of the tasks is learnt from the tasks after it. When the latest
// samples follow none of them, because they are of several kinds or have just
// begun to be others, the alarm is raised: see subjects.Fitted.Drift.
func Refit(w *Window, last *subjects.Fitted) (Result, bool) {
	all := usable(w.Samples())
	r, ok := model(all)
	if !ok {
		return Result{}, false
	}
	if !r.follows(w) {
		r = younger(w, r)
	}
	r.alarm(w.Recent, last != nil && last.Drift)
	r.rate(all)
	return r, true
}

// younger is the model of the longest part of the window that the latest
// samples follow, the given one if they follow none.
func younger(w *Window, r Result) Result {
	for _, part := range [][]Sample{w.since(w.Seen - min(w.Seen, 2*recent)), w.Recent, w.latest()} {
		if young, ok := model(usable(part)); ok && young.follows(w) {
			return young
		}
	}
	return r
}

// follows reports whether the very latest samples stand around the model.
func (r *Result) follows(w *Window) bool {
	p, list := r.predictor(), w.latest()
	return !p.leans(list) && !stray(p.astray(list), len(list))
}

// alarm replaces the model by a cautious one when too many of the samples are
// far from it; once that is so, until few of them are.
func (r *Result) alarm(samples []Sample, raised bool) {
	p := r.predictor()
	n := p.astray(samples)
	r.Drift = stray(n, len(samples)) || raised && !settled(n, len(samples))
	if !r.Drift {
		return
	}
	idle := make([]float64, 0, len(samples))
	for _, s := range r.normalised(samples) {
		idle = append(idle, s.Seconds*s.Residual)
	}
	slices.Sort(idle)
	r.A, r.B, r.C, r.D, r.Terms = quantile(idle, 0.9), 0, 0, 0, 0
}

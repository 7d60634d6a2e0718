package fit

import (
	"slices"

	"lull/subjects"
	"lull/subjects/tct"
)

// Refit returns the model to publish next, or false if the window has too few samples to replace the
// last one. It is that of the whole window. When the latest samples do not follow that, it is the
// model of the last 64, 32 or 16, so that it learns a change of the tasks from the tasks after it.
// When the latest samples follow none of them, because they are of several kinds or have just
// changed, the alarm is raised: see subjects.Fitted.Drift.
func Refit(w *Window, last *subjects.Fitted) (Result, bool) {
	all := usable(w.Samples())
	if len(all) < MinSamples && (last == nil || last.Few()) {
		return first(all)
	}
	r, ok := model(all)
	if !ok {
		return Result{}, false
	}
	if !r.follows(w) {
		r = younger(w, r)
	}
	r.alarm(w.Recent, lastModelFailed(last, w))
	r.rate(all)
	return r, true
}

// younger returns the model of the longest recent part of the window that suits the very latest
// samples as well as any does. A shorter part has few other samples, so its model seems better
// than it is: up to half as much error again counts as equal.
func younger(w *Window, r Result) Result {
	models := []Result{r}
	for _, part := range [][]Sample{w.since(w.Seen - min(w.Seen, 2*recent)), w.Recent, w.latest()} {
		if young, ok := model(usable(part)); ok {
			young.Rests = len(part)
			models = append(models, young)
		}
	}
	least, misses := inf, make([]float64, len(models))
	for i := range models {
		misses[i] = models[i].predictor().miss(w.latest())
		least = min(least, misses[i])
	}
	return models[slices.IndexFunc(misses, func(m float64) bool { return m <= 1.5*least+0.01 })]
}

// follows reports whether the very latest samples stand around the model.
func (r *Result) follows(w *Window) bool {
	p, list := r.predictor(), w.latest()
	return !p.isBiased(list) && !p.alarmDue(list)
}

// lastModelFailed reports whether the model that stands is an alarm, or most of the very
// latest samples are further than alarmRatio from it.
func lastModelFailed(last *subjects.Fitted, w *Window) bool {
	if last == nil || last.Drift {
		return last != nil
	}
	return predictor{last, tct.Of(last)}.far(w.latest(), alarmRatio) >= latest*5/8
}

// alarm replaces the model by a cautious one when too many of the samples are far from it. After a
// model that went astray it does so until few of them are.
func (r *Result) alarm(samples []Sample, raised bool) {
	p := r.predictor()
	r.Drift = p.alarmDue(samples) || raised && !p.alarmOver(samples)
	if !r.Drift {
		return
	}
	r.Rests = 0
	idle := make([]float64, 0, len(samples))
	for _, s := range r.normalised(samples) {
		idle = append(idle, s.Seconds*s.Residual)
	}
	slices.Sort(idle)
	r.A, r.B, r.C, r.D, r.Terms = quantile(idle, 0.9), 0, 0, 0, 0
}

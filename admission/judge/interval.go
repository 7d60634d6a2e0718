package judge

import (
	"lull/admission/pool"
	"lull/admission/span"
)

// Interval bounds a predicted finish so that nine outcomes in ten lie within, by the outcomes of
// this pool's earlier promises. While too few of them are known, it uses the takes of the
// rehearsal. Behind a queue too long for one, it uses the tenth and ninetieth percentile of single
// tasks' times in the stages' models. A job of many tasks varies less than its tasks, so that is
// wider. It returns false when the prediction is rough, since the error of a guess is unknown.
func (j *Judge) Interval(l *pool.Load, f Finding) (soonest, latest span.Micros, ok bool) {
	if l.Rough() {
		return 0, 0, false
	}
	low, high, ok := j.Book.Finish.Bounds()
	switch {
	case ok:
	case f.high > 0:
		return f.low, f.high, f.high < span.Horizon
	default:
		low, high, ok = j.spread(l)
	}
	if !ok || f.Finish >= span.Horizon {
		return 0, 0, false
	}
	soonest = span.Of(float64(f.Finish) / 1e6 * min(low, 1))
	latest = span.Of(float64(f.Finish) / 1e6 * max(high, 1))
	return soonest, latest, latest < span.Horizon
}

// spread is how models' times vary, as a share of them, weighed by the stages'
// work.
func (j *Judge) spread(l *pool.Load) (low, high float64, ok bool) {
	total := 0.0
	for i := range l.Stages {
		m := j.Ledger.Model(l.Stages[i].Model)
		if m == nil || m.Fast <= 0 || m.Slow <= 0 {
			return 0, 0, false
		}
		work := float64(float64(l.Stages[i].Left) * l.Stages[i].Unit.Mean)
		low += float64(work * m.Fast)
		high += float64(work * m.Slow)
		total += work
	}
	if total <= 0 {
		return 0, 0, false
	}
	return low / total, high / total, true
}

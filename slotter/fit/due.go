package fit

import (
	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// MinSamples is how many samples a model needs. One of fewer is a first guess: see
	// subjects.Fitted.Few.
	MinSamples = subjects.FewSamples

	// A model waits for an eighth more samples than it saw before it is replaced out of turn,
	// within these bounds. Otherwise samples that no curve can follow would make an event each.
	minPause, maxPause = latest, 64
	// maxRest is the same for a model with an alarm that stands.
	maxRest = 1024
)

// Due reports whether the window calls for a new model in place of last and its curve (nil for none
// yet). That is after 5, 10, 20, 40 … samples, so that a million tasks make some twenty events.
// Before the first five, it is when a stage is over, because a stage of one task would have no model
// until its fifth job; whole is how many samples there were when one was over last. It is also when
// the latest samples lean to one side of the model or go astray. While an alarm stands it is when
// that may be over.
func Due(w *Window, last *subjects.Fitted, curve *tct.Curve, whole uint64) bool {
	count := w.Count()
	if last == nil {
		return count >= MinSamples || whole > 0
	}
	seen := uint64(last.Samples)
	p, pause := predictor{last, curve}, max(seen/8, minPause)
	switch {
	case count >= max(2*seen, MinSamples):
		return true
	case last.Few():
		return whole > seen
	case last.Drift:
		return count >= seen+min(pause, maxRest) || count >= seen+latest && len(w.Recent) >= latest && calm(last, w.Recent)
	}
	return count >= seen+min(pause, maxPause) && (p.isBiased(w.latest()) || p.alarmDue(w.Recent))
}

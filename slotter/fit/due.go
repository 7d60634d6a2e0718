package fit

import (
	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// MinSamples is how many samples a first model needs.
	MinSamples = 5

	minPause, maxPause = latest, 256
)

// Due reports whether the window calls for a new model in place of last and
// its curve (nil for none yet): after 5, 10, 20, 40 … samples, so that a million
// tasks make some twenty events, or when the latest samples lean to one side
// of the model or go astray. Drift waits for an eighth more samples than the
// model saw, within 16 and 256: samples that no curve can follow must not make
// an event each. An alarm is looked at as often, and when it may be over.
func Due(w *Window, last *subjects.Fitted, curve *tct.Curve) bool {
	if last == nil {
		return w.Seen >= MinSamples
	}
	seen := uint64(last.Samples)
	pause := min(max(seen/8, minPause), maxPause)
	switch {
	case w.Seen >= max(2*seen, MinSamples):
		return true
	case w.Seen >= seen+pause:
		p := predictor{last, curve}
		return last.Drift || p.leans(w.latest()) || stray(p.astray(w.Recent), len(w.Recent))
	}
	return last.Drift && w.Seen >= seen+latest && calm(last, w.Recent)
}

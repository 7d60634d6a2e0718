package fit

import (
	"lull/subjects"
	"lull/subjects/tct"
)

const (
	// MinSamples is how many samples a first model needs.
	MinSamples = 5

	// Model errors up to 10 % change little, 15 to 20 % cost throughput (MIMP,
	// figure 9): 15 % is worth a refit out of turn, if most samples agree.
	driftRatio = 1.15
	driftCount = recent * 3 / 4

	minPause, maxPause = recent, 1024
)

// Due reports whether the window calls for a new model in place of last (nil
// for none yet): after 5, 10, 20, 40 … samples, so that a million tasks make
// some twenty events, or when twelve of the latest sixteen samples stand more
// than 15 % on one side of the model. Drift waits for an eighth more
// samples than the model saw, within 16 and 1,024: samples that no curve can
// follow must not make an event each.
func Due(w *Window, last *subjects.Fitted) bool {
	if last == nil {
		return w.Seen >= MinSamples
	}
	seen := uint64(last.Samples)
	if w.Seen >= max(2*seen, MinSamples) {
		return true
	}
	pause := min(max(seen/8, minPause), maxPause)
	return w.Seen >= seen+pause && drifted(w.Recent, tct.Of(last))
}

// drifted counts instead of averaging: one task that hung is no drift.
func drifted(samples []Sample, curve *tct.Curve) bool {
	slower, faster := 0, 0
	for _, s := range samples {
		expected := curve.Seconds(s.Residual)
		if s.Seconds > expected*driftRatio {
			slower++
		}
		if s.Seconds*driftRatio < expected {
			faster++
		}
	}
	return max(slower, faster) >= driftCount
}

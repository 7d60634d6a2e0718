package sim

import (
	"math/rand/v2"
	"testing"
	"time"

	"lull/actors"
)

// chance makes any effect fail for a while. After that everything ends.
type chance struct {
	w     *World
	rng   *rand.Rand
	until time.Duration
	odds  float64
}

func (c *chance) Begin(w *World) { c.w = w }

func (c *chance) Fate(e Effect) (f Fate) {
	if e.At > c.until || e.At < 0 || c.rng.Float64() > c.odds {
		return f
	}
	switch c.rng.IntN(8) {
	case 0:
		f.Lose = true
	case 1:
		f.LoseAck = true
	case 2:
		f.Delay = time.Duration(c.rng.ExpFloat64() * float64(time.Second))
	case 3:
		f.Again = time.Duration(c.rng.ExpFloat64() * float64(time.Second))
	case 4:
		f.AckDelay = time.Duration(c.rng.ExpFloat64() * float64(time.Second))
	case 5:
		f.Crash = CrashBefore
	case 6:
		f.Crash = CrashAfter
	case 7:
		if e.Op == OpAppend || e.Op == OpClaim || e.Op == OpStart {
			f.Refuse = actors.ErrFull
		}
	}
	return f
}

func TestAllEndsAfterFaults(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		s := small(seed)
		s.Replicas = 1 + int(seed%2)
		for i := range s.Jobs {
			s.Jobs[i].Spec.Stages[0].Retries = 1000
		}
		s.Faults = &chance{rng: stream(seed, "chance"), until: 20 * time.Minute, odds: 0.02}
		a := finish(t, s)
		s.Faults = &chance{rng: stream(seed, "chance"), until: 20 * time.Minute, odds: 0.02}
		if b := finish(t, s); a.Digest != b.Digest {
			t.Errorf("digests of two runs of seed %d with faults = %x, %x, want the same", seed, a.Digest, b.Digest)
		}
	}
}

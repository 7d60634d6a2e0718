package poll

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"lull/test/steal"
)

// idle returns counters of a machine that is idle for a share of the time.
func idle(percent uint64) func() steal.Ticks {
	start := time.Now()
	return func() steal.Ticks {
		ms := uint64(time.Since(start).Milliseconds())
		return steal.Ticks{Idle: ms * percent / 100, All: ms}
	}
}

func TestAChanceEndsAfterIdleTimeAlone(t *testing.T) {
	for percent, want := range map[uint64]time.Duration{100: time.Minute, 50: 2 * time.Minute, 4: 25 * time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			ctx, cancel := chance(t.Context(), time.Minute, idle(percent))
			defer cancel()
			<-ctx.Done()
			if took := time.Since(start); took < want || took > want+look {
				t.Errorf("a chance of a minute with %d %% idle took %v, want %v", percent, took, want)
			}
			if err := context.Cause(ctx); !errors.Is(err, ErrChance) {
				t.Errorf("cause = %v, want %v", err, ErrChance)
			}
		})
	}
}

func TestWithoutIdleTimeAChanceGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := chance(t.Context(), time.Minute, idle(0))
		time.Sleep(24 * time.Hour)
		if err := ctx.Err(); err != nil {
			t.Errorf("after a day without idle CPU: %v, want the context alive", err)
		}
		cancel()
		if err := context.Cause(ctx); errors.Is(err, ErrChance) {
			t.Errorf("cause after cancel = %v, want another one", err)
		}
	})
}

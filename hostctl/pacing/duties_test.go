package pacing

import (
	"context"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// switched notes when a slot was stopped, in virtual time.
type switched struct {
	mu      sync.Mutex
	on      bool
	since   time.Time
	running time.Duration
}

func (s *switched) freeze(_ context.Context, _ int, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.on && !s.since.IsZero() {
		s.running += now.Sub(s.since)
	}
	s.on, s.since = !on, now
	return nil
}

func (s *switched) ran() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

func TestADutyRunsForItsShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s switched
		d := newDuties(1, s.freeze)
		check(t, d.Pace(0, 0.3))
		<-time.After(10 * time.Second)
		if got := d.InForce(0); math.Abs(got-0.3) > 1e-9 {
			t.Errorf("InForce(0) = %v, want 0.3", got)
		}
		first := s.ran()
		check(t, d.Pace(0, 0.8))
		<-time.After(10 * time.Second)
		second := s.ran() - first
		check(t, d.Pace(0, 0))
		if math.Abs(first.Seconds()-3) > 0.2 || math.Abs(second.Seconds()-8) > 0.2 {
			t.Errorf("of 10 s each it ran %v and %v, want 3 and 8", first, second)
		}
		if !s.on || d.InForce(0) < 1 {
			t.Errorf("after its duty: on %v, InForce(0) = %v, want true, 1", s.on, d.InForce(0))
		}
	})
}

func TestDutiesOfSlotsAreTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var touched []int
		d := newDuties(1, func(_ context.Context, slot int, _ bool) error {
			mu.Lock()
			defer mu.Unlock()
			touched = append(touched, slot)
			return nil
		})
		check(t, d.Pace(3, 0.5), d.Pace(1, 0), d.Pace(2, 1))
		<-time.After(time.Second)
		check(t, d.Pace(3, 0), d.Pace(3, 0))
		if slices.ContainsFunc(touched, func(n int) bool { return n != 3 }) || len(touched) < 15 {
			t.Errorf("slots touched = %v, want slot 3, at least 15 times", touched)
		}
	})
}

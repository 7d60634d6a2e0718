package steal

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"
)

func TestTicks(t *testing.T) {
	a, err := parse("cpu  100 0 50 800 0 0 0 50 7 0\ncpu0 1\n")
	if err != nil || a != (Ticks{50, 800, 1000}) {
		t.Fatalf("parse() = %+v, %v, want 50 of 1000 ticks stolen, and 800 idle", a, err)
	}
	later := Ticks{53, 825, 1100}
	if got := later.Since(a); math.Abs(got-0.03) > 1e-12 {
		t.Errorf("Since() = %v, want 0.03", got)
	}
	if got := later.IdleSince(a); math.Abs(got-0.25) > 1e-12 {
		t.Errorf("IdleSince() = %v, want 0.25", got)
	}
	for _, bad := range []string{"", "cpu 1 2\n", "cpu 1 2 3 4 5 6 7 x 9 10\n", "intr 1 2 3 4 5 6 7 8 9\n"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("parse(%q) = nil error, want an error", bad)
		}
	}
}

func TestTheLeastDisturbedMeasurementIsKept(t *testing.T) {
	took := []uint64{10, 5, 7, 1, 0}
	n, now := 0, Ticks{All: 1000}
	m := meter{
		read: func() (Ticks, error) { return now, nil },
		calm: func(context.Context) {},
	}
	measure := func() (int, error) {
		now.All += 100
		now.Stolen += took[n]
		n++
		return n, nil
	}
	found, taken, err := least(t.Context(), m, measure)
	if err != nil || found != 4 || math.Abs(taken-0.01) > 1e-12 {
		t.Errorf("least() = measurement %d with %v stolen, %v, want the fourth, the first with no more than %v", found, taken, err, Most)
	}
}

func TestMeasuringEndsSomeTime(t *testing.T) {
	n, now := 0, Ticks{All: 1000}
	m := meter{
		read: func() (Ticks, error) { return now, nil },
		calm: func(context.Context) {},
	}
	measure := func() (int, error) {
		n++
		now.All += 100
		now.Stolen += []uint64{50, 49, 48}[n%3]
		return n, nil
	}
	found, taken, err := least(t.Context(), m, measure)
	if err != nil || n != tries || found != 2 || math.Abs(taken-0.48) > 1e-12 {
		t.Errorf("least() = measurement %d with %v stolen, %v, after %d of them, want the second of %d", found, taken, err, n, tries)
	}
}

func TestAMeasurementThatFailsEndsIt(t *testing.T) {
	broken := errors.New("no rig")
	_, _, err := Least(t.Context(), func() (int, error) { return 0, broken })
	if !errors.Is(err, broken) {
		t.Errorf("Least(a measurement that fails) = %v, want %v", err, broken)
	}
}

func TestTheClockStandsStillWhileTheMachineIsTakenAway(t *testing.T) {
	ticks, at := Ticks{Stolen: 5, All: 1000}, time.Unix(100, 0)
	c, err := newClock(func() (Ticks, error) { return ticks, nil }, func() time.Time { return at })
	if err != nil || c.Now() != 0 {
		t.Fatalf("Now() of a new clock = %v, %v, want 0", c.Now(), err)
	}
	ticks, at = Ticks{Stolen: 105, All: 2000}, at.Add(10*time.Second)
	if c.Now() != 9*time.Second || c.Stolen() != 0.1 {
		t.Errorf("Now() and Stolen() = %v and %v, want 9s and 0.1", c.Now(), c.Stolen())
	}
}

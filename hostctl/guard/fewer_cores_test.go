package guard

import (
	"testing"
	"time"
)

// slight simulates a primary that waits a little longer than it may, but not so often that tasks
// are frozen. Fewer cores leave a part of that excess.
func slight(b *bench, d time.Duration, left float64) (fewer time.Duration) {
	for ; d > 0; d -= every {
		delay := 0.11
		if b.orders.Cores < 8 {
			delay *= left
			fewer += every
		}
		b.one(0.5, delay)
	}
	return fewer
}

func TestFewerCoresThatDoNotHelpAreGivenBack(t *testing.T) {
	b := begin(eight())
	if fewer := slight(b, time.Hour, 1); fewer > 15*time.Minute || fewer == 0 || b.orders.Frozen {
		t.Errorf("fewer cores for %v of an hour without effect, want some and at most 15m", fewer)
	}
}

func TestFewerCoresThatHelpAreKept(t *testing.T) {
	b := begin(eight())
	if fewer := slight(b, time.Hour, 0.5); fewer < 20*time.Minute {
		t.Errorf("fewer cores for %v of an hour while they halve the delay, want at least 20m", fewer)
	}
}

func TestTwiceTheHarmIsANewCase(t *testing.T) {
	w := fewerCores{all: share{1, 10}, fewer: share{1, 10}}
	now := time.Unix(1000, 0)
	if !w.mayTry(now) || !w.failed(now) || w.mayTry(now.Add(time.Second)) {
		t.Fatalf("after fewer cores had no effect: %+v, want them tried once", w)
	}
	if w.all.delayed = 3; !w.mayTry(now.Add(time.Second)) {
		t.Error("mayTry() with three times the delay = false, want true")
	}
	if w.all.delayed = 1; !w.mayTry(now.Add(retryPause)) {
		t.Errorf("mayTry() after %v = false, want true", retryPause)
	}
}

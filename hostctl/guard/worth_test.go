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
		t.Errorf("fewer cores for %v of an hour without effect", fewer)
	}
}

func TestFewerCoresThatHelpAreKept(t *testing.T) {
	b := begin(eight())
	if fewer := slight(b, time.Hour, 0.5); fewer < 20*time.Minute {
		t.Errorf("fewer cores for %v of an hour, though they halve the delay", fewer)
	}
}

func TestTwiceTheHarmIsANewCase(t *testing.T) {
	w := worth{all: share{1, 10}, fewer: share{1, 10}}
	now := time.Unix(1000, 0)
	if !w.mayTry(now) || !w.failed(now) || w.mayTry(now.Add(time.Second)) {
		t.Fatalf("fewer cores are tried again although they had no effect: %+v", w)
	}
	if w.all.delayed = 3; !w.mayTry(now.Add(time.Second)) {
		t.Error("three times the delay is no new case")
	}
	if w.all.delayed = 1; !w.mayTry(now.Add(barren)) {
		t.Error("it is never tried again")
	}
}

package guard

import (
	"testing"
	"time"
)

// busy steps a guard every 25 ms at a primary that uses this many of two cores. It returns the
// number of steps until batch work yields, or until it no longer does.
func busy(f *saturation, cores float64, tasks, most int, until bool) (looks int) {
	const look = 25 * time.Millisecond
	for f.yields != until && looks < most {
		f.step(growth{time: look.Seconds(), ran: cores * look.Seconds()}, tasks)
		looks++
	}
	return looks
}

func TestBatchWorkYieldsToAPrimaryThatHasEveryCore(t *testing.T) {
	f := saturation{cores: 2}
	if n := busy(&f, 1.9, 1, 1000, true); n < 1000 {
		t.Errorf("yields after %d looks at 95 %%, want never", n)
	}
	if n := busy(&f, 1.99, 1, 10, true); n != 4 {
		t.Errorf("yields after %d looks at 99 %%, want 4", n)
	}
	if n := busy(&f, 1.85, 1, 1000, false); n < 1000 {
		t.Errorf("goes on after %d looks with hardly anything left, want never", n)
	}
	if n := busy(&f, 1.5, 1, 20, false); n > 2 {
		t.Errorf("goes on after %d looks with a quarter left, want at most 2", n)
	}
}

func TestABusyMomentIsNoReasonToYield(t *testing.T) {
	f := saturation{cores: 2}
	for range 100 {
		busy(&f, 2, 1, 3, true)
		busy(&f, 1.6, 1, 1, true)
	}
	if f.yields {
		t.Error("yields = true after three busy looks of four, want false")
	}
}

func TestNothingYieldsWithoutTasksOrWithoutTheGuard(t *testing.T) {
	f := saturation{cores: 2}
	if busy(&f, 2, 1, 10, true); !f.yields {
		t.Fatal("yields = false, want true")
	}
	if n := busy(&f, 2, 0, 10, false); n != 1 {
		t.Errorf("without tasks it yields for %d looks, want 1", n)
	}
	off := saturation{}
	if busy(&off, 2, 1, 100, true); off.yields {
		t.Error("yields = true with the guard off, want false")
	}
}

func TestYieldingIsNoNewsForPeople(t *testing.T) {
	yields := Orders{Cores: 2, Yield: true}
	if !yields.Steady(Orders{Cores: 2}) {
		t.Error("Steady() of an order that yields = false, want true")
	}
}

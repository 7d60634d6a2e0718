package room

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

func sample(primary float64, at time.Duration) *subjects.Usage {
	return &subjects.Usage{Primary: primary, At: int64(at), MemoryFree: 1}
}

func TestBatchLeavesThePrimaryAndTheReserve(t *testing.T) {
	r := Reserve{Cores: 12, CPU: 4}
	for primary, want := range map[int]int{0: 8, 3: 5, 8: 0, 10: -2} {
		if got := r.BatchCores(primary); got != want {
			t.Errorf("beside %d cores of the primary batch work may hold %d, want %d", primary, got, want)
		}
	}
	if got := (Reserve{Cores: 12}).BatchCores(12); got != Unlimited {
		t.Errorf("BatchCores(12) of 12 reserved cores = %d, want Unlimited", got)
	}
	for idle, want := range map[float64]int{12: 6, 9.5: 5, 9: 5, 4.2: 0, 0: 0} {
		if got := r.Slots(idle, 6); got != want {
			t.Errorf("with %v idle cores %d slots may run, want %d", idle, got, want)
		}
	}
	if got := Widest(&subjects.Joined{Cores: 12, Slots: 10, ReserveCPU: 4}); got != 8 {
		t.Errorf("the widest task has %d cores, want 8", got)
	}
	if got := Widest(&subjects.Joined{Slots: 10}); got != 10 {
		t.Errorf("without a reserve the widest task has %d cores, want 10", got)
	}
}

// The start of a burst counts at once, its end ten seconds later, however many samples come
// meanwhile.
func TestCalmIsATime(t *testing.T) {
	r := Reserve{Cores: 8, CPU: 1}
	for _, every := range []time.Duration{100 * time.Millisecond, time.Second, 5 * time.Second} {
		var m Meter
		m.Add(r, sample(3.2, 0))
		for at := every; at < every+ReleaseDelay; at += every {
			if m.Add(r, sample(0.5, at)); m.Primary != 4 {
				t.Fatalf("samples every %v: %d cores count %v after the burst, want 4", every, m.Primary, at)
			}
		}
		if m.Add(r, sample(0.5, every+ReleaseDelay)); m.Primary != 1 {
			t.Errorf("samples every %v: %d cores count when the calm has lasted, want 1", every, m.Primary)
		}
	}
}

func TestAClockThatGoesBackBeginsTheCalmAnew(t *testing.T) {
	r := Reserve{Cores: 8, CPU: 1}
	var m Meter
	m.Add(r, sample(4, time.Hour))
	m.Add(r, sample(2, time.Hour+time.Second))
	m.Add(r, sample(1, time.Minute))
	if m.Add(r, sample(1, time.Minute+ReleaseDelay-1)); m.Primary != 4 {
		t.Errorf("%d cores count, want 4", m.Primary)
	}
	if m.Add(r, sample(1, time.Minute+ReleaseDelay)); m.Primary != 2 {
		t.Errorf("%d cores count, want those of the busiest sample of the calm, 2", m.Primary)
	}
}

func TestMemoryIsShortUntilItIsWellAboveTheReserve(t *testing.T) {
	var m Meter
	r := Reserve{Memory: 100}
	for _, c := range []struct {
		free  int64
		short bool
	}{{124, false}, {100, false}, {99, true}, {100, true}, {124, true}, {125, false}, {110, false}} {
		if m.Add(r, &subjects.Usage{MemoryFree: c.free}); m.Short != c.short || m.Free != c.free {
			t.Errorf("%d bytes are free: %+v, want short %v", c.free, m, c.short)
		}
	}
}

// A meter that skips the samples which change nothing gives the same results as one that takes them
// all. The result is never less than the last sample. It is never more than the busiest one of the
// last two times of calm and of the longest gap between samples.
func TestSamplesThatChangeNothingMayBeLeftOut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Reserve{Cores: 8, CPU: uint32(rapid.IntRange(0, 2).Draw(t, "reserve")), Memory: 100}
		var all, some Meter
		var seen []*subjects.Usage
		at := time.Duration(0)
		for range rapid.IntRange(1, 60).Draw(t, "samples") {
			at += time.Duration(rapid.IntRange(1, 6000).Draw(t, "after")) * time.Millisecond
			u := sample(float64(rapid.IntRange(0, 8).Draw(t, "primary"))/2, at)
			u.MemoryFree = int64(rapid.IntRange(3, 6).Draw(t, "free") * 25)
			seen = append(seen, u)
			all.Add(r, u)
			if some.Changes(r, u) {
				some.Add(r, u)
			}
			if all != some {
				t.Fatalf("after %+v: of all samples %+v, of those that change something %+v, want the same", u, all, some)
			}
			if r.CPU == 0 {
				continue
			}
			if least := int(math.Ceil(u.Primary)); all.Primary < least {
				t.Fatalf("cores of the primary = %d, want at least %d as in the last sample", all.Primary, least)
			}
			if most := busiest(seen); all.Primary > most {
				t.Fatalf("cores of the primary = %d, want at most %d as in the busiest sample", all.Primary, most)
			}
		}
	})
}

// busiest is the slow twin: the greatest use of the samples of the last two times of calm, and of the
// longest gap. What a first sample of a calm asked for counts when that calm is over, which shows only
// in the next sample, and for one more calm.
func busiest(seen []*subjects.Usage) (most int) {
	last, gap := seen[len(seen)-1].At, int64(0)
	for i := range len(seen) - 1 {
		gap = max(gap, seen[i+1].At-seen[i].At)
	}
	for _, u := range seen {
		if u.At >= last-2*int64(ReleaseDelay)-gap {
			most = max(most, int(math.Ceil(u.Primary)))
		}
	}
	return most
}

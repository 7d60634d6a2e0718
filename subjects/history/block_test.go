package history

import (
	"reflect"
	"testing"
	"time"
)

var web = Owner{Tenant: "web", Cores: 8, Memory: 32 << 30}

func full(mean uint16) Sample { return Sample{Mean: mean, Peak: mean + 1, Memory: 5, Seconds: 120} }

func TestSlotsBeginAtUTCBoundaries(t *testing.T) {
	at := time.Date(2026, 3, 29, 0, 59, 59, 0, time.FixedZone("CET", 3600))
	if got := TimeOf(Slot(at)); !got.Equal(time.Date(2026, 3, 28, 23, 58, 0, 0, time.UTC)) {
		t.Errorf("TimeOf(Slot(%v)) = %v, want 2026-03-28 23:58 UTC", at, got)
	}
	for _, c := range []struct{ seconds, slot int64 }{{-1, -1}, {-120, -1}, {-121, -2}, {0, 0}, {119, 0}, {120, 1}} {
		if got := Slot(time.Unix(c.seconds, 0)); got != c.slot {
			t.Errorf("second %d is in slot %d, want %d", c.seconds, got, c.slot)
		}
	}
}

func TestThousandths(t *testing.T) {
	zero := 0.0
	for share, want := range map[float64]uint16{-1: 0, 0: 0, 0.0004: 0, 0.0006: 1, 0.5: 500, 1: 1000, 7: 1000, zero / zero: 0} {
		if got := Thousandths(share); got != want {
			t.Errorf("%v is %d thousandths, want %d", share, got, want)
		}
	}
}

func TestOfTwoSamplesTheOneWithMoreSecondsStays(t *testing.T) {
	var b Block
	if !b.Put(100, full(10), web) || b.Put(100, full(10), web) {
		t.Fatal("Put(100, the same sample) twice: want a change the first time only")
	}
	part := Sample{Mean: 900, Peak: 900, Seconds: 60}
	if b.Put(100, part, web) || b.Samples[0].Mean != 10 {
		t.Errorf("Put(half a sample) changed the block to %+v, want the whole sample kept", b.Samples)
	}
	if !b.Put(100, full(20), web) || b.Samples[0].Mean != 20 {
		t.Errorf("Put(a later whole sample) left %+v, want it in place of the first", b.Samples)
	}
	if b.Put(101, Sample{Mean: 5}, web) || len(b.Samples) != 1 {
		t.Errorf("Put(a sample of no seconds) left %+v, want one sample", b.Samples)
	}
}

func TestPartsOfAStepAreJoined(t *testing.T) {
	var b Block
	b.Add(7, Sample{Mean: 100, Peak: 300, Memory: 10, Seconds: 30}, web)
	b.Add(7, Sample{Mean: 200, Peak: 250, Memory: 20, Seconds: 60}, web)
	if want := (Sample{Mean: 167, Peak: 300, Memory: 17, Seconds: 90}); b.Samples[0] != want {
		t.Errorf("Add(the rest of a sample) left %+v, want %+v", b.Samples[0], want)
	}
	b.Add(7, Sample{Mean: 500, Peak: 500, Seconds: 119}, web) // a clock was set back
	if b.Samples[0].Mean != 500 || b.Samples[0].Seconds != 119 {
		t.Errorf("Add(a part that overlaps) left %+v, want mean 500 over 119 s", b.Samples[0])
	}
}

func TestBlocksGrowBothWaysUpToAWeek(t *testing.T) {
	var b Block
	b.Put(1000, full(1), web)
	b.Put(1003, full(4), Owner{Tenant: "db"})
	b.Put(998, full(9), web)
	want := []Sample{full(9), {}, full(1), {}, {}, full(4)}
	want[5].Owner = 1
	if b.From != 998 || !reflect.DeepEqual(b.Samples, want) {
		t.Errorf("block from %d: %+v, want from 998: %+v", b.From, b.Samples, want)
	}
	if b.Observed() != 3 || b.End() != 1004 {
		t.Errorf("Observed(), End() = %d, %d, want 3, 1004", b.Observed(), b.End())
	}
	if b.Put(998+int64(PerWeek), full(1), web) || b.Put(1003-int64(PerWeek), full(1), web) || len(b.Samples) != 6 {
		t.Errorf("Put(a week away) left %d samples, want it refused and 6", len(b.Samples))
	}
}

func TestABlockHasFewOwners(t *testing.T) {
	var b Block
	for i := range maxOwners + 1 {
		if ok := b.Put(int64(i), full(1), Owner{Cores: uint32(i + 1)}); ok != (i < maxOwners) {
			t.Errorf("Put(owner %d of at most %d) = %v, want %v", i, maxOwners, ok, i < maxOwners)
		}
	}
}

func TestSeen(t *testing.T) {
	s := NewSlotSet(100, 200)
	for _, c := range []struct {
		slot int64
		want bool
	}{{100, true}, {100, false}, {199, true}, {163, true}, {164, true}, {99, false}, {300, false}, {164, false}} {
		if got := s.Add(c.slot); got != c.want {
			t.Errorf("Add(%d) = %v, want %v", c.slot, got, c.want)
		}
	}
}

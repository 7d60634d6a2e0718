package guard

import (
	"testing"
	"time"
)

const gb = 1 << 30

func TestMemoryGivesBackCacheBeforeTasks(t *testing.T) {
	b := begin(Config{Cores: 2, Reserve: 2 * gb})
	b.s.MemoryBatch = 8 * gb
	for _, c := range []struct {
		free    int64
		high    int64
		reclaim int64
		evict   bool
	}{
		{4 * gb, 0, 0, false},
		{5 * gb / 2, 15 * gb / 2, gb / 2, false}, // half a reserve above it: the cache goes
		{7 * gb / 2, 15 * gb / 2, 0, false},      // not well above: the bound stays
		{gb, 6 * gb, 2 * gb, true},               // below the reserve
		{gb, 6 * gb, 2 * gb, true},
		{4 * gb, 0, 0, false},
	} {
		b.s.MemoryFree = c.free
		b.now = b.now.Add(2 * time.Second)
		o := b.Step(b.now, b.s)
		if o.MemoryHigh != c.high || o.Reclaim != c.reclaim || o.Evict != c.evict {
			t.Errorf("%d MB available: %+v, want %+v", c.free>>20, o, c)
		}
	}
}

func TestStallsForMemoryEvictOnlyWhenItIsShort(t *testing.T) {
	for _, c := range []struct {
		free  int64
		share float64
		evict bool
	}{{3 * gb / 2, 0.5, true}, {3 * gb / 2, 0.05, false}, {4 * gb, 0.5, false}} {
		b := begin(Config{Cores: 2, Reserve: gb * 5 / 4})
		b.s.MemoryFree = c.free
		evicted := false
		for range 40 {
			b.s.MemoryStall += c.share * every.Seconds()
			evicted = b.one(1, 0).Evict || evicted
		}
		if evicted != c.evict {
			t.Errorf("%+v: evicted = %v, want %v", c, evicted, c.evict)
		}
	}
}

func TestEvictionsForMemoryTakeTheirTime(t *testing.T) {
	b := begin(Config{Cores: 2, Reserve: 2 * gb})
	b.s.MemoryFree = gb
	evictions := 0
	for range int(time.Second / every) {
		if b.one(1, 0).Evict {
			evictions++
		}
	}
	if evictions < 2 || evictions > 4 {
		t.Errorf("%d evictions in a second, want 2 to 4", evictions)
	}
}

func TestDiskIsHalvedStepByStepAndLifted(t *testing.T) {
	b := begin(Config{Cores: 2, Disk: true})
	rates := map[int64]bool{}
	for range int(5 * time.Second / every) {
		b.s.DiskStall += every.Seconds()
		rates[b.one(1, 0).DiskRate] = true
	}
	for _, mb := range []float64{0, 50, 25, 12.5, 6.25, 3.125, 1.5625} {
		if !rates[int64(mb*(1<<20))] {
			t.Errorf("rates = %v, want %v MB/s among them", rates, mb)
		}
	}
	if len(rates) != 7 {
		t.Errorf("rates = %v, want 7", rates)
	}
	if o := last(b.run((diskRungs+1)*calmMost, 1, 0)); o.DiskRate != 0 {
		t.Errorf("%+v after long calm, want no bound on the disk", o)
	}
}

func TestDiskBelowItsBoundIsLeftAlone(t *testing.T) {
	b := begin(Config{Cores: 2, Disk: true})
	for range 1000 {
		b.s.DiskStall += 0.15 * every.Seconds()
		if o := b.one(1, 0); o.DiskRate != 0 {
			t.Fatalf("%+v, want no bound on the disk", o)
		}
	}
}

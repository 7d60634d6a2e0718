package places

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"lull/slotter/facts"
)

// Of hosts with free slots, each is drawn as often as its share of them says, and slots are handed
// out until none is left.
func TestHostsAreDrawnInProportionToTheirFreeSlots(t *testing.T) {
	free := []int{1, 0, 3, 8, 2, 6}
	const rounds = 20_000
	first, total := make(map[*facts.Host]float64), 0.0
	var hosts []*facts.Host
	for _, n := range free {
		hosts, total = append(hosts, &facts.Host{Usable: n}), total+float64(n)
	}
	var q drawQueue
	for seed := range uint64(rounds) {
		q.reset(hosts, seed)
		first[q.take()]++
	}
	for i, h := range hosts {
		share := float64(free[i]) / total
		if off := math.Abs(first[h]/rounds - share); off > 5*math.Sqrt(share*(1-share)/rounds) {
			t.Errorf("a host with %d of %v free slots was drawn first in a share of %.3f, want %.3f", free[i], total, first[h]/rounds, share)
		}
	}
}

// Whatever is put back, a host without a free slot is never drawn, and every free slot is.
func TestEverySlotIsDrawnOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var hosts []*facts.Host
		want := 0
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 9), 0, 40).Draw(t, "free") {
			hosts, want = append(hosts, &facts.Host{Usable: n}), want+n
		}
		var q drawQueue
		q.reset(hosts, rapid.Uint64().Draw(t, "seed"))
		drawn := 0
		for h := q.take(); h != nil; h = q.take() {
			if h.Free() <= 0 {
				t.Fatalf("take() = a host with %d free slots, want at least 1", h.Free())
			}
			if drawn++; rapid.IntRange(0, 9).Draw(t, "stays") == 0 {
				want -= h.Free() - 1 // it is not put back
				continue
			}
			h.Busy++
			q.put(h)
		}
		if drawn != want {
			t.Fatalf("%d slots were drawn, want %d", drawn, want)
		}
	})
}

package eviction

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lull/subjects/ledger"
)

func attempt(id uint64, slot, width uint32, memory int64) *ledger.Attempt {
	return &ledger.Attempt{ID: id, Slot: slot, Width: width, Memory: memory}
}

func host(slots int, free int64, victims ...Victim[string]) *Host[string] {
	h := &Host[string]{Taken: make([]bool, slots), Memory: free, Victims: victims}
	for _, v := range victims {
		for i := v.Attempt.Slot; i < v.Attempt.Slot+v.Attempt.Width; i++ {
			h.Taken[i] = true
		}
	}
	h.Sort()
	return h
}

func ids(room []Victim[string]) (all []uint64) {
	for _, v := range room {
		all = append(all, v.Attempt.ID)
	}
	return all
}

func anyVictim(Victim[string], []Victim[string]) bool { return true }

// A slot beside a free one is enough for two cores. What was listed before it, and turns
// out not to be needed, goes on.
func TestOnlyWhatIsNeededEnds(t *testing.T) {
	h := host(4, 0, Victim[string]{attempt(1, 0, 1, 0), 10, "a"}, Victim[string]{attempt(2, 1, 1, 0), 20, "b"}, Victim[string]{attempt(3, 3, 1, 0), 30, "c"})
	room, ok := h.MakeRoom(Need{Slots: 2}, anyVictim)
	if !ok || fmt.Sprint(ids(room)) != "[2]" || Cost(room) != 20 {
		t.Fatalf("MakeRoom(2 slots) ends %v, %v, want [2] at a cost of 20", ids(room), ok)
	}
	for _, v := range room {
		h.End(v)
	}
	h.Take(Need{Slots: 2})
	if fmt.Sprint(h.Taken) != "[true true true true]" || len(h.Victims) != 2 {
		t.Errorf("after Take: taken %v, victims %v, want all four and two victims left", h.Taken, ids(h.Victims))
	}
}

func TestNothingEndsWhereThereIsRoomOrNoneCanBeMade(t *testing.T) {
	v := Victim[string]{attempt(1, 0, 1, 100), 10, "a"}
	if room, ok := host(2, 50, v).MakeRoom(Need{Slots: 1, Memory: 50}, anyVictim); !ok || len(room) > 0 {
		t.Errorf("MakeRoom on a host with room ends %v, want none", ids(room))
	}
	if room, ok := host(2, 50, v).MakeRoom(Need{Slots: 1, Memory: 151}, anyVictim); ok {
		t.Errorf("MakeRoom(more memory than there is) ends %v, want it impossible", ids(room))
	}
	if room, ok := host(1, 50, v).MakeRoom(Need{Slots: 1}, func(Victim[string], []Victim[string]) bool { return false }); ok || len(room) > 0 {
		t.Errorf("MakeRoom of victims that may not end ends %v, want it impossible", ids(room))
	}
}

// A part needs a slot with room for it. What shares the slot goes on, where it leaves enough.
func TestPartsOfASlotMakeRoomForParts(t *testing.T) {
	half := func(id uint64, slot, part uint32, lost int64) Victim[string] {
		at := attempt(id, slot, 1, 1)
		at.Part = part
		return Victim[string]{at, lost, ""}
	}
	h := host(2, 0, Victim[string]{attempt(1, 0, 1, 1), 50, ""}, half(2, 1, 500, 20), half(3, 1, 500, 30))
	h.Parts = []uint32{0, 0}
	for _, c := range []struct {
		need Need
		want string
	}{
		{Need{Slots: 1, Part: 500}, "[2]"},
		{Need{Slots: 1, Part: 600}, "[2 3]"},
		{Need{Slots: 1}, "[2 3]"},
		{Need{Slots: 2}, "[1 2 3]"},
		{Need{Slots: 2, Part: 500}, "[1 2]"},
	} {
		room, ok := h.MakeRoom(c.need, anyVictim)
		got := ids(room)
		slices.Sort(got)
		if !ok || fmt.Sprint(got) != c.want {
			t.Errorf("for %+v the attempts %v end, want %s", c.need, got, c.want)
		}
	}
	h.End(h.Victims[1])
	if h.Take(Need{Slots: 1, Part: 300}); h.gap(Need{Slots: 1, Part: 200}) != 1 || h.gap(Need{Slots: 1, Part: 201}) >= 0 {
		t.Errorf("gap with a fifth of a slot left: taken %v, parts %v, want 200 to fit and 201 not", h.Taken, h.Parts)
	}
	h.End(h.Victims[0])
	if h.gap(Need{Slots: 1}) >= 0 || h.gap(Need{Slots: 1, Part: 700}) != 1 {
		t.Errorf("gap with three tenths of a slot taken: %v, %v, want 700 to fit and a whole slot not", h.Taken, h.Parts)
	}
}

// Whatever is listed makes room, and with any one of it less there is none.
func TestRoomIsMinimal(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		h := host(1+rng.IntN(8), int64(rng.IntN(3)))
		for slot := 0; slot < len(h.Taken); {
			width := min(1+rng.IntN(3), len(h.Taken)-slot)
			if rng.IntN(4) > 0 {
				h.Victims = append(h.Victims, Victim[string]{attempt(uint64(slot+1), uint32(slot), uint32(width), int64(rng.IntN(3))), int64(rng.IntN(50)), ""})
				for i := range width {
					h.Taken[slot+i] = true
				}
			}
			slot += width
		}
		h.Sort()
		need := Need{Slots: uint32(1 + rng.IntN(3)), Memory: int64(rng.IntN(5))}
		room, ok := h.MakeRoom(need, anyVictim)
		if !ok {
			continue
		}
		for skip := -1; skip < len(room); skip++ {
			try := h.without()
			for i, v := range room {
				if i != skip {
					try.Free(v.Attempt)
				}
			}
			if fits := try.gap(need) >= 0; fits != (skip < 0) {
				t.Fatalf("seed %d: %+v with room %v, without victim %d: fits = %v, want %v", seed, h, ids(room), skip, fits, skip < 0)
			}
		}
	}
}

package actor

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
)

// kills lists what an output kills.
func kills(actions []actors.Action) (all []Kill) {
	for _, act := range actions {
		if k, ok := act.(Kill); ok {
			all = append(all, k)
		}
	}
	return all
}

// A burst takes as many slots as it needs, at one sample, the youngest first. Those that are
// ending at the next sample still use their slots, and are not counted twice.
func TestABurstEndsAsManyAsItTakes(t *testing.T) {
	h := joined(Config{Cores: 8, Slots: 7, ReserveCPU: 1})
	for i := range uint32(6) {
		h.assign(i, i) // attempts 2 to 7
	}
	got := kills(h.sample(subjects.Usage{Primary: 3.1}))
	if len(got) != 3 || got[0].Attempt != 5 || got[2].Attempt != 7 || got[0].Urgency != Soon {
		t.Fatalf("%+v for 4 of 8 cores and one in reserve, want attempts 5, 6 and 7 to end soon", got)
	}
	h.now = h.now.Add(time.Second)
	if got := kills(h.sample(subjects.Usage{Primary: 3.1})); len(got) != 0 {
		t.Errorf("%+v while three attempts are ending, want no kill", got)
	}
	h.report(Ended{Attempt: 7, Outcome: Evicted, Reason: subjects.ReasonReserve})
	if got := kills(h.sample(subjects.Usage{Primary: 4.1})); len(got) != 1 || got[0].Attempt != 4 {
		t.Errorf("%+v for one core more, want attempt 4", got)
	}
}

// An attempt that was revoked is leaving: no other ends in its place, but it gets no longer
// than until the next sample.
func TestWhatEndsAnywayHurries(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 3, ReserveCPU: 1})
	for i := range uint32(3) {
		h.assign(i, i) // attempts 2 to 4
	}
	h.entry(&subjects.Revoked{Host: "h", Job: "j", Attempt: 2})
	got := kills(h.sample(subjects.Usage{Primary: 0.5}))
	if len(got) != 1 || got[0] != (Kill{2, subjects.ReasonRevoked, Soon}) {
		t.Errorf("kills = %+v, want the revoked attempt 2, soon", got)
	}
	if got := kills(h.sample(subjects.Usage{Primary: 0.5})); len(got) != 0 {
		t.Errorf("%+v for a need that is met, want no kill", got)
	}
}

// Memory is given back by as many attempts as hold what is missing.
func TestShortMemoryEndsAsManyAsItTakes(t *testing.T) {
	h := joined(Config{Cores: 8, Slots: 8, ReserveMemory: 1000})
	for i := range uint32(4) {
		h.assign(i, i) // attempts 2 to 5
	}
	got := kills(h.sample(subjects.Usage{MemoryFree: 500, MemoryBatch: 1600}))
	if len(got) != 2 || got[0].Attempt != 4 || got[1].Attempt != 5 || got[0].Urgency != AtOnce {
		t.Fatalf("kills = %+v, want attempts 4 and 5, of 400 bytes each, at once", got)
	}
	h.report(Ended{Attempt: 4, Outcome: Evicted, Reason: subjects.ReasonReserve})
	if got := kills(h.sample(subjects.Usage{MemoryFree: 500, MemoryBatch: 1600})); len(got) != 0 {
		t.Errorf("%+v on a sample that may be older than the end, want no kill", got)
	}
}

// Whatever the primary does, the reserve is whole one sample after the sample that found it broken.
// No attempt ends that could have stayed.
func TestABrokenReserveIsWholeAtTheNextSample(t *testing.T) {
	const each = 100 // memory of a slot in use
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Cores: 8, Slots: 8, ReserveCPU: uint32(rapid.IntRange(0, 3).Draw(t, "kept")),
			ReserveMemory: int64(rapid.IntRange(0, 300).Draw(t, "kept memory")), Evict: Eviction(rapid.IntRange(0, 1).Draw(t, "order")),
		}
		h := joined(cfg)
		primary, others := 0.0, int64(0)
		look := func() []Kill {
			busy := int64(h.busy())
			return kills(h.sample(subjects.Usage{Primary: primary, Idle: 8 - primary, MemoryFree: 1500 - others - each*busy, MemoryBatch: each * busy}))
		}
		for step := range 30 {
			h.now = h.now.Add(time.Duration(rapid.IntRange(1, 3000).Draw(t, "after")) * time.Millisecond)
			h.entry(&subjects.Assigned{
				Host: "h", Job: "j", TaskID: subjects.TaskID{Task: uint32(step)}, Term: h.term,
				Slot: uint32(rapid.IntRange(0, 7).Draw(t, "slot")), Width: 1,
			})
			primary = float64(rapid.IntRange(0, 16).Draw(t, "primary")) / 2
			others = int64(rapid.IntRange(0, 1500).Draw(t, "others"))
			ends := look()
			if n := len(ends) - 1; n >= 0 {
				memory := h.reserve.meter.Free + each*int64(n)
				if h.reserve.allows(h.busy()-n) && memory >= cfg.ReserveMemory {
					t.Fatalf("%+v end, want fewer: the last one could have stayed, with %+v", ends, h.reserve.meter)
				}
			}
			h.endKilled(ends)
			h.now = h.now.Add(time.Second)
			if again := look(); h.busy() > 0 && h.reserve.violated() || len(again) > 0 {
				t.Fatalf("at the next sample %d slots are in use of %+v, and %+v end, want the reserve restored", h.busy(), h.reserve.meter, again)
			}
		}
	})
}

// endKilled has the killed attempts end, and the log know it.
func (h *host) endKilled(killed []Kill) {
	for _, k := range killed {
		h.report(Ended{Attempt: k.Attempt, Outcome: Evicted, Reason: k.Reason})
	}
	for _, e := range h.decide() {
		h.entry(e)
	}
}

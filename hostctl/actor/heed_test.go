package actor

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
)

// A sample that need not be heeded has the actor repeat its last beat, and
// leaves everything that later decisions rest on as it was.
func TestWhatIsNotHeededChangesNothing(t *testing.T) {
	heeded, spared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		h := joined(Config{Cores: 4, Slots: 4, ReserveCPU: 1, ReserveMemory: 100})
		var last Hold
		step := map[string]func(*rapid.T){
			"sample": func(t *rapid.T) {
				u := subjects.Usage{
					Host: "h", Idle: float64(rapid.IntRange(1, 2).Draw(t, "idle")),
					Primary: float64(rapid.IntRange(0, 3).Draw(t, "primary")), MemoryFree: int64(rapid.IntRange(0, 2).Draw(t, "memory") * 60),
				}
				for range rapid.IntRange(1, 2*calm).Draw(t, "times") {
					heeds, reserve, held := h.Heeds(&u), h.reserve, len(h.held)
					actions := h.sample(u)
					if hold, ok := find[Hold](actions); ok && heeds {
						last = hold
					}
					if heeds {
						heeded++
						continue
					}
					spared++
					reserve.samples = h.reserve.samples
					if len(actions) != 1 || !reflect.DeepEqual(actions[0], last) || reserve != h.reserve || held != len(h.held) {
						t.Fatalf("%+v led to %+v after %+v; the reserve was %+v and is %+v", u, actions, last, reserve, h.reserve)
					}
				}
			},
			"assign": func(t *rapid.T) { last = beatIn(h.assign(uint32(h.seq), 0).Actions, last) },
			"end": func(t *rapid.T) {
				for _, a := range h.held {
					if a.phase == started {
						last = beatIn(h.step(actors.Input{Report: Ended{Attempt: a.id, Outcome: Evicted}}).Actions, last)
						return
					}
				}
			},
			"pause":  func(t *rapid.T) { last = beatIn(h.entry(&subjects.Paused{}).Actions, last) },
			"resume": func(t *rapid.T) { last = beatIn(h.entry(&subjects.Resumed{}).Actions, last) },
		}
		t.Repeat(step)
	})
	if heeded == 0 || spared == 0 {
		t.Errorf("%d samples were heeded, %d were not", heeded, spared)
	}
}

// beatIn is the beat that the actions hold, or the one before.
func beatIn(actions []actors.Action, before Hold) Hold {
	if hold, ok := find[Hold](actions); ok {
		return hold
	}
	return before
}

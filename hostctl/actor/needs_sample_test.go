package actor

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
)

// A sample that is not needed makes the actor repeat its last heartbeat, and
// changes nothing that later decisions depend on.
func TestSampleThatIsNotNeededChangesNothing(t *testing.T) {
	taken, spared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		h := joined(Config{Cores: 4, Slots: 4, ReserveCPU: 1, ReserveMemory: 100})
		var last SetBeat
		step := map[string]func(*rapid.T){
			"sample": func(t *rapid.T) {
				u := subjects.Usage{
					Host: "h", Idle: float64(rapid.IntRange(1, 2).Draw(t, "idle")),
					Primary: float64(rapid.IntRange(0, 3).Draw(t, "primary")), MemoryFree: int64(rapid.IntRange(0, 2).Draw(t, "memory") * 60),
				}
				for range rapid.IntRange(1, 20).Draw(t, "times") {
					h.now = h.now.Add(time.Second)
					u.At = h.now.UnixNano()
					needed, meter, held := h.NeedsSample(&u), h.reserve.meter, len(h.held)
					actions := h.sample(u)
					if beat, ok := firstAction[SetBeat](actions); ok && needed {
						last = beat
					}
					if needed {
						taken++
						continue
					}
					spared++
					if len(actions) != 1 || !reflect.DeepEqual(actions[0], last) || meter != h.reserve.meter || held != len(h.held) {
						t.Fatalf("%+v, which is not needed, led to %+v after %+v, and the reserve from %+v to %+v, want no change", u, actions, last, meter, h.reserve.meter)
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
	if taken == 0 || spared == 0 {
		t.Errorf("samples needed, not needed = %d, %d, want some of both", taken, spared)
	}
}

// beatIn is the beat that the actions beat, or the one before.
func beatIn(actions []actors.Action, before SetBeat) SetBeat {
	if beat, ok := firstAction[SetBeat](actions); ok {
		return beat
	}
	return before
}

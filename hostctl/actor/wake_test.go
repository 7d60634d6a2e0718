package actor

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// full is a host of two slots, both of which run something, and two places
// ahead. Its attempts are 2 and 3.
func full() *host {
	h := joined(Config{Cores: 2, Slots: 2, Ahead: 2, ReserveMemory: 1})
	h.sample(subjects.Usage{MemoryFree: 10})
	h.assign(0, 0)
	h.assign(1, 1)
	return h
}

func (h *host) wide(task, slot uint32) actors.Output {
	return h.entry(&subjects.Assigned{Host: "h", Job: "j", TaskID: subjects.TaskID{Stage: 1, Task: task}, Term: h.term, Slot: slot, Width: 2})
}

// end reports an attempt's end, and returns what starts then.
func (h *host) end(attempt uint64) (Start, bool) {
	return firstAction[Start](h.step(actors.Input{Report: Ended{Attempt: attempt}}).Actions)
}

// echo feeds the host's own events back to it from the log.
func (h *host) echo() {
	for _, e := range h.decide() {
		h.entry(e)
	}
}

func TestWhatWaitsStartsWhereASlotIsFreeFirstComeFirstServed(t *testing.T) {
	h := full()
	for place := uint32(2); place < 4; place++ {
		if start, ok := firstAction[Start](h.assign(place, place).Actions); ok {
			t.Fatalf("%+v with no slot free, want no start", start)
		}
	}
	if held := len(h.beat().Attempts); held != 4 {
		t.Errorf("the heartbeat lists %d attempts, want those that wait too: 4", held)
	}
	if start, ok := h.end(3); !ok || start.Attempt != 4 || start.Slot != 1 {
		t.Errorf("start = %+v, want attempt 4 in slot 1", start)
	}
	if start, ok := h.end(2); !ok || start.Attempt != 5 || start.Slot != 0 {
		t.Errorf("start = %+v, want attempt 5 in slot 0", start)
	}
	h.echo() // in the log, slots 0 and 1 are free now, while both shims are busy
	if start, ok := firstAction[Start](h.assign(6, 0).Actions); ok {
		t.Errorf("%+v while both slots run earlier assignments, want no start", start)
	}
	if start, ok := h.end(5); !ok || start.Attempt != h.seq || start.Slot != 0 {
		t.Errorf("start = %+v, want attempt %d in slot 0", start, h.seq)
	}
}

// Brief tasks began to run in slots that the log calls free. A task of two cores waits for these
// slots, and attempts that came later wait for that task.
func TestNoTaskOvertakesAWideTask(t *testing.T) {
	h := full()
	h.assign(2, 2)
	h.end(2) // attempt 4 runs in slot 0
	h.end(3)
	h.echo()
	if start, ok := firstAction[Start](h.wide(0, 0).Actions); ok {
		t.Fatalf("%+v of two slots with one free, want no start", start)
	}
	wide := h.seq
	if start, ok := firstAction[Start](h.assign(5, 3).Actions); ok {
		t.Fatalf("%+v overtakes the wide task, want no start", start)
	}
	if start, ok := h.end(4); !ok || start.Attempt != wide || start.Slot != 0 {
		t.Fatalf("start = %+v, want the wide attempt %d in slot 0", start, wide)
	}
	if start, ok := h.end(wide); !ok || start.Attempt != wide+1 {
		t.Errorf("start = %+v, want attempt %d", start, wide+1)
	}
}

func TestWhatWaitsIsGivenBackAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		do     func(h *host)
		reason string
	}{
		"paused":   {func(h *host) { h.entry(&subjects.Paused{Host: "h"}) }, subjects.ReasonPaused},
		"draining": {func(h *host) { h.entry(&subjects.Drained{Host: "h"}) }, subjects.ReasonPaused},
		"leaving":  {func(h *host) { h.report(Leave{}) }, subjects.ReasonPaused},
		"disk":     {func(h *host) { h.report(Disk{Full: true}) }, subjects.ReasonDisk},
		"reserve":  {func(h *host) { h.sample(subjects.Usage{MemoryFree: 0}) }, subjects.ReasonReserve},
		"max wait": {func(h *host) { h.now = h.now.Add(maxWait); h.step(actors.Input{}) }, subjects.ReasonSlot},
	} {
		t.Run(name, func(t *testing.T) {
			h := full()
			h.assign(2, 2)
			c.do(h)
			d, ok := h.decide()[0].(*subjects.Declined)
			if !ok || d.Attempt != 4 || d.Reason != c.reason || d.Text == "" {
				t.Errorf("declined = %+v, want attempt 4 for %s", d, c.reason)
			}
		})
	}
}

func TestARevokedAttemptThatWaitsIsAnsweredWithoutAProcess(t *testing.T) {
	for sake, reason := range map[string]string{"": subjects.ReasonRevoked, "k": subjects.ReasonPreempted} {
		h := full()
		h.assign(2, 2)
		if kill, ok := firstAction[Kill](h.entry(&subjects.Revoked{Host: "h", Job: "j", Attempt: 4, For: sake}).Actions); ok {
			t.Errorf("%+v of a task that does not run, want no kill", kill)
		}
		e, ok := h.decide()[0].(*subjects.Evicted)
		if !ok || e.Attempt != 4 || e.Reason != reason {
			t.Errorf("evicted = %+v, want attempt 4 for %s", e, reason)
		}
		if start, ok := h.end(2); ok {
			t.Errorf("%+v after it was revoked, want no start", start)
		}
	}
}

func TestAWaitEndsByItsOwnClock(t *testing.T) {
	h := full()
	came := h.now
	if out := h.assign(2, 2); !out.Wake.Equal(came.Add(maxWait)) {
		t.Errorf("wakes at %v, want a while after %v", out.Wake, came)
	}
	if out := h.step(actors.Input{Report: Ended{Attempt: 2}}); !out.Wake.IsZero() {
		t.Errorf("Wake = %v while nothing waits, want none", out.Wake)
	}
}

// After the agent's death it is unknown whether a waiting attempt had begun.
func TestWhatWaitedForADeadAgentVanishes(t *testing.T) {
	h := full()
	h.assign(2, 2)
	again := &host{Actor: New(h.cfg), now: h.now, seq: h.seq}
	b, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Restore(b); err != nil {
		t.Fatal(err)
	}
	again.term = again.seq + 1
	again.entry(&subjects.Joined{Host: "h"})
	again.report(Adopted{Attempts: []Held{{2, 0}, {3, 1}}})
	events := again.decide()
	if e, ok := events[0].(*subjects.Evicted); len(events) != 1 || !ok || e.Attempt != 4 || e.Reason != subjects.ReasonVanished {
		t.Errorf("events = %+v, want attempt 4 evicted as vanished, and no other", events)
	}
	again.echo()
	if start, ok := firstAction[Start](again.assign(3, 2).Actions); ok {
		t.Errorf("%+v while both slots run adopted tasks, want no start", start)
	}
	if start, ok := again.end(3); !ok || start.Slot != 1 {
		t.Errorf("start = %+v, want it in slot 1 of the adopted task that ended", start)
	}
}

// While more than half of the places ahead are in use, ends wait for each other.
func TestEndsAreSaidTogetherWhileEnoughWaits(t *testing.T) {
	stocked := func() *host {
		h := joined(Config{Cores: 2, Slots: 2, Ahead: 4})
		for place := range uint32(6) {
			h.assign(place, place) // attempts 2 to 7
		}
		h.end(2)
		if events := h.decide(); len(events) != 0 {
			t.Fatalf("events while three tasks wait = %+v, want none", events)
		}
		return h
	}
	h := stocked()
	h.end(3)
	if events := h.decide(); len(events) != 2 {
		t.Errorf("%+v is said when half of the places are empty, want both ends", events)
	}
	h = stocked()
	if out := h.step(actors.Input{}); !out.Wake.Equal(h.now.Add(batchDelay)) {
		t.Errorf("wakes at %v, want %v after %v", out.Wake, batchDelay, h.now)
	}
	h.now = h.now.Add(batchDelay)
	if events := h.decide(); len(events) != 1 {
		t.Errorf("%+v is said after %v, want the end", events, batchDelay)
	}
	h = stocked()
	h.report(Running{Attempt: 3})
	if events := h.decide(); len(events) != 2 {
		t.Errorf("%+v is said, want the end and that a task runs for long", events)
	}
}

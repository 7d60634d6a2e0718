package actor

import (
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// relieved is the attempt that Relieve has killed for the primary's sake, 0 if
// none.
func (h *host) relieved() uint64 {
	kill, ok := firstAction[Kill](h.step(actors.Input{Report: Relieve{}}).Actions)
	if !ok || kill.Reason != subjects.ReasonReserve {
		return 0
	}
	return kill.Attempt
}

func TestRelieveEvictsOneAtATime(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4, ReserveMemory: 100})
	h.assign(0, 0)
	h.assign(1, 1)
	oldest, youngest := h.seq-1, h.seq
	if got := h.relieved(); got != youngest {
		t.Fatalf("evicted %d, want the youngest, %d", got, youngest)
	}
	if got := h.relieved(); got != 0 {
		t.Fatalf("relieved() = %d before the first one ended, want 0", got)
	}
	h.report(Ended{Attempt: youngest, Outcome: Evicted, Reason: subjects.ReasonReserve})
	if kill, ok := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 50})); ok {
		t.Fatalf("%+v on a sample that may be older than the last end, want no kill", kill)
	}
	if got := h.relieved(); got != oldest {
		t.Fatalf("evicted %d, want %d", got, oldest)
	}
	h.report(Ended{Attempt: oldest, Outcome: Evicted, Reason: subjects.ReasonReserve})
	if got := h.relieved(); got != 0 {
		t.Errorf("relieved() = %d with no attempt left, want 0", got)
	}
}

// The primary leaves this host no CPU, and other hosts have room for some of its tasks.
func TestOnlyTasksThatCanMoveAreEvicted(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4})
	h.assign(0, 0)
	oldest := h.seq
	h.assign(1, 1)
	if kill, ok := firstAction[Kill](h.step(actors.Input{Report: Relieve{Among: []uint64{oldest, 99}}}).Actions); !ok || kill.Attempt != oldest {
		t.Errorf("evicted %+v, want attempt %d, the only one with room elsewhere", kill, oldest)
	}
}

func TestLeastWorkGoesFirst(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4, Evict: LeastWork})
	h.assign(0, 0) // attempts 2 and 3, of one slot and of two
	wide := h.entry(&subjects.Assigned{Host: "h", Job: "j", TaskID: subjects.TaskID{Task: 1}, Term: 1, Slot: 1, Width: 2})
	if _, ok := firstAction[Start](wide.Actions); !ok {
		t.Fatal("the wide task does not start, want a start")
	}
	h.now = h.now.Add(time.Second)
	h.step(actors.Input{})
	h.assign(2, 3)
	h.now = h.now.Add(10 * time.Second)
	for i, want := range []uint64{4, 2, 3} { // 10, 11 and 22 CPU seconds
		if got := h.relieved(); got != want {
			t.Errorf("eviction %d took attempt %d, want %d", i, got, want)
		}
		h.report(Ended{Attempt: want, Outcome: Evicted})
	}
}

func TestNothingStartsWhileTasksAreFrozen(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 2})
	if beat, ok := firstAction[SetBeat](h.step(actors.Input{Report: Guarded{Frozen: true, Why: "the primary needs all cores"}}).Actions); !ok || !beat.Beat.Frozen {
		t.Errorf("beat of a frozen host = %+v, want it frozen", beat)
	}
	if s, ok := firstAction[Start](h.assign(0, 0).Actions); ok {
		t.Fatalf("%+v while frozen, want no start", s)
	}
	d, ok := h.decide()[0].(*subjects.Declined)
	if !ok || d.Reason != subjects.ReasonReserve || d.Text != "the primary needs all cores" {
		t.Errorf("declined = %+v, want it with the guard's reason", d)
	}
	h.entry(d)
	if beat, ok := firstAction[SetBeat](h.step(actors.Input{Report: Guarded{}}).Actions); !ok || beat.Beat.Frozen {
		t.Errorf("beat after the thaw = %+v, want it not frozen", beat)
	}
	if _, ok := firstAction[Start](h.assign(1, 0).Actions); !ok {
		t.Error("no start after the thaw, want one")
	}
}

func TestParseEviction(t *testing.T) {
	for s, want := range map[string]Eviction{"": Youngest, "youngest": Youngest, "least-work": LeastWork} {
		if got, err := ParseEviction(s); err != nil || got != want {
			t.Errorf("ParseEviction(%q) = %v, %v, want %v", s, got, err, want)
		}
	}
	if _, err := ParseEviction("oldest"); err == nil {
		t.Error("ParseEviction(oldest) = nil error, want an error")
	}
}

// An attempt that has just written its checkpoint loses the least, however long it has run.
// What its end says was kept is the work before its last write.
func TestLeastWorkCountsFromTheLastCheckpoint(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4, Evict: LeastWork})
	h.assign(0, 0)
	h.now = h.now.Add(time.Minute)
	h.step(actors.Input{})
	h.assign(1, 1)
	h.now = h.now.Add(20 * time.Second)
	out := h.step(actors.Input{Report: Saved{Attempt: 2}})
	if beat, ok := firstAction[SetBeat](out.Actions); !ok || len(beat.Beat.Saved) != 1 || beat.Beat.Saved[0] != (subjects.Saved{Attempt: 2, At: h.now.UnixNano()}) {
		t.Errorf("beat after the write = %+v, want attempt 2 saved now", beat)
	}
	h.now = h.now.Add(10 * time.Second)
	for i, want := range []uint64{2, 3} { // 10 of 90 CPU seconds, and 30
		if got := h.relieved(); got != want {
			t.Errorf("eviction %d took attempt %d, want %d", i, got, want)
		}
		h.report(Ended{Attempt: want, Outcome: Evicted, Reason: subjects.ReasonReserve, Saved: 60, Run: subjects.Run{Seconds: 90, CPU: 45}})
		e, ok := h.decide()[0].(*subjects.Evicted)
		if !ok || e.Kept < 30 || e.Kept > 30 || e.Lost() < 15 || e.Lost() > 15 {
			t.Errorf("evicted = %+v, want 30 of its 45 CPU seconds kept", e)
		}
		h.entry(e)
	}
}

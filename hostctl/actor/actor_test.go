package actor

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

// host drives an Actor by hand.
type host struct {
	*Actor
	now  time.Time
	seq  uint64
	term uint64
}

func joined(cfg Config) *host {
	cfg.Host = "h"
	h := &host{Actor: New(cfg), now: time.Unix(1000, 0)}
	h.term = 1
	h.entry(&subjects.Joined{Host: "h"})
	h.report(Adopted{})
	return h
}

func (h *host) step(in actors.Input) actors.Output {
	in.Now, in.Term = h.now, h.term
	return h.Step(in)
}

func (h *host) entry(e subjects.Event) actors.Output {
	h.seq++
	return h.step(actors.Input{Entry: &actors.Entry{Seq: h.seq, Time: h.now, Event: e}})
}

func (h *host) report(r any)             { h.step(actors.Input{Report: r}) }
func (h *host) decide() []subjects.Event { return h.step(actors.Input{Decide: true}).Events }
func (h *host) sample(u subjects.Usage) []actors.Action {
	u.Host, u.At = "h", h.now.UnixNano()
	return h.step(actors.Input{Sample: &u}).Actions
}

// assign gives a task and returns what the actor does about it.
func (h *host) assign(task, slot uint32) actors.Output {
	return h.entry(&subjects.Assigned{Host: "h", Job: "j", TaskID: subjects.TaskID{Task: task}, Term: h.term, Slot: slot, Width: 1})
}

func firstAction[A actors.Action](actions []actors.Action) (found A, ok bool) {
	for _, a := range actions {
		if found, ok = a.(A); ok {
			return found, true
		}
	}
	return found, false
}

func TestReserveEvictsYoungestOneAtATimeUntilItStands(t *testing.T) {
	const gb = 1 << 30
	h := joined(Config{Cores: 4, Slots: 4, ReserveMemory: 4 * gb})
	for i := range uint32(3) {
		if _, ok := firstAction[Start](h.assign(i, i).Actions); !ok {
			t.Fatalf("task %d does not start, want a start", i)
		}
	}
	oldest, youngest := h.seq-2, h.seq
	kill, ok := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 3 * gb}))
	if !ok || kill.Attempt != youngest || kill.Reason != subjects.ReasonReserve {
		t.Fatalf("kill = %+v, want the youngest, %d, for the reserve", kill, youngest)
	}
	if kill, ok := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 3 * gb})); ok {
		t.Fatalf("%+v before the first eviction took effect, want no kill", kill)
	}
	h.report(Ended{Attempt: youngest, Outcome: Evicted, Reason: subjects.ReasonReserve})
	if kill, ok := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 3 * gb})); ok {
		t.Fatalf("%+v on a sample that may be older than the last end, want no kill", kill)
	}
	if kill, _ := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 3 * gb})); kill.Attempt != youngest-1 {
		t.Fatalf("kill = %+v, want the next youngest, %d", kill, youngest-1)
	}
	h.report(Ended{Attempt: youngest - 1, Outcome: Evicted, Reason: subjects.ReasonReserve})
	for range 3 { // above the reserve, but not well above it
		if kill, ok := firstAction[Kill](h.sample(subjects.Usage{MemoryFree: 9 * gb / 2})); ok {
			t.Fatalf("%+v with the reserve intact, want no kill", kill)
		}
	}
	if end := refusal(t, h, h.assign(5, 3)); end.Reason != subjects.ReasonReserve {
		t.Errorf("a start just above the reserve: %+v, want it declined", end)
	}
	h.sample(subjects.Usage{MemoryFree: 5 * gb})
	if _, ok := firstAction[Start](h.assign(6, 2).Actions); !ok {
		t.Error("no start with memory well above the reserve, want one")
	}
	if h.attempt(oldest).endReason != "" {
		t.Errorf("the oldest attempt is evicted because of %s, want it running", h.attempt(oldest).endReason)
	}
}

func TestALeavingHostReportsThatItStartsNothing(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1})
	h.assign(0, 0)
	out := h.step(actors.Input{Report: Leave{}})
	if beat, ok := firstAction[SetBeat](out.Actions); !ok || !beat.Beat.Paused {
		t.Errorf("actions on Leave = %+v, want a beat that says paused, or it is given its evicted tasks again", out.Actions)
	}
	if _, ok := firstAction[Kill](out.Actions); !ok {
		t.Errorf("actions on Leave = %+v, want its task killed", out.Actions)
	}
}

// refusal is the Declined that the last assignment led to.
func refusal(t *testing.T, h *host, out actors.Output) *subjects.Declined {
	t.Helper()
	if start, ok := firstAction[Start](out.Actions); ok {
		t.Fatalf("start = %+v, want it declined", start)
	}
	for _, e := range h.decide() {
		if d, ok := e.(*subjects.Declined); ok && d.Attempt == h.seq {
			return d
		}
	}
	t.Fatalf("no Declined of attempt %d, want one", h.seq)
	return nil
}

func TestCPUReserveCountsWholeCoresAndForgetsBurstsSlowly(t *testing.T) {
	h := joined(Config{Cores: 4, Slots: 4, ReserveCPU: 1})
	h.sample(subjects.Usage{Primary: 0.2, MemoryFree: 1})
	h.assign(0, 0)
	h.assign(1, 1)
	if d := refusal(t, h, h.assign(2, 2)); d.Reason != subjects.ReasonReserve {
		t.Errorf("1 core of the primary, 3 slots and 1 core of reserve on 4 cores: %+v, want declined for the reserve", d)
	}
	if kill, ok := firstAction[Kill](h.sample(subjects.Usage{Primary: 1.1, MemoryFree: 1})); !ok || kill.Attempt != 3 {
		t.Errorf("kill = %+v, want attempt 3 for the burst", kill)
	}
	h.report(Ended{Attempt: 3, Outcome: Evicted, Reason: subjects.ReasonReserve})
	for i := range 5 { // the sample at the end of the calm is the sixth
		h.now = h.now.Add(2 * time.Second)
		h.sample(subjects.Usage{Primary: 0.2, MemoryFree: 1})
		if d := refusal(t, h, h.assign(uint32(10+i), 1)); d.Reason != subjects.ReasonReserve {
			t.Fatalf("%d samples after the burst: %+v, want declined for the reserve", i, d)
		}
	}
	h.now = h.now.Add(2 * time.Second)
	h.sample(subjects.Usage{Primary: 0.2, MemoryFree: 1})
	if _, ok := firstAction[Start](h.assign(30, 1).Actions); !ok {
		t.Error("no start ten seconds after the burst, want one")
	}
}

func TestRefusals(t *testing.T) {
	for reason, prepare := range map[string]func(h *host){
		subjects.ReasonPaused: func(h *host) { h.report(Leave{}) },
		subjects.ReasonDisk:   func(h *host) { h.report(Disk{Full: true}) },
		subjects.ReasonSlot:   func(h *host) { h.assign(0, 1) },
	} {
		h := joined(Config{Cores: 2, Slots: 2})
		prepare(h)
		if d := refusal(t, h, h.assign(1, 1)); d.Reason != reason || d.Text == "" {
			t.Errorf("declined = %+v, want it for %s with a text", d, reason)
		}
	}
	h := joined(Config{Cores: 2, Slots: 2})
	if d := refusal(t, h, h.assign(1, 2)); d.Reason != subjects.ReasonSlot {
		t.Errorf("a slot that does not exist: %+v, want declined for the slot", d)
	}
}

func TestPauseFreezesInTheVeryStep(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	if _, ok := firstAction[Freeze](h.entry(&subjects.Paused{Host: "h"}).Actions); !ok {
		t.Error("Paused: no Freeze, want one")
	}
	if _, ok := firstAction[Thaw](h.entry(&subjects.Resumed{Host: "h"}).Actions); !ok {
		t.Error("Resumed: no Thaw, want one")
	}
}

func TestResidualIsTheMeanOverTheRun(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.sample(subjects.Usage{Idle: 1})
	h.assign(0, 0)
	h.report(Running{Attempt: h.seq})
	id := h.seq
	h.now = h.now.Add(3 * time.Second) // alone with an idle core: 1
	h.sample(subjects.Usage{Idle: 0.5})
	h.now = h.now.Add(time.Second) // half a core: 0.5
	h.report(Ended{Attempt: id, Run: subjects.Run{Seconds: 4}})
	done := h.decide()[0].(*subjects.Finished)
	if want := (3*1 + 1*0.5) / 4.0; math.Abs(done.Residual-want) > 1e-9 {
		t.Errorf("residual %v, want %v", done.Residual, want)
	}
}

// The residual of an attempt is that of its own run.
func TestAnExitedTaskLeavesItsSlotToTheNext(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1, Ahead: 1, ReserveMemory: 1})
	h.sample(subjects.Usage{Idle: 1, MemoryFree: 1})
	h.assign(0, 0)
	first := h.seq
	h.report(Running{Attempt: first})
	if start, ok := firstAction[Start](h.assign(1, 1).Actions); ok {
		t.Fatalf("%+v in a slot that is taken, want no start", start)
	}
	second := h.seq
	h.now = h.now.Add(time.Second)
	if start, ok := firstAction[Start](h.step(actors.Input{Report: Exited{Attempt: first}}).Actions); !ok || start.Attempt != second || start.Slot != 0 {
		t.Fatalf("start = %+v, want attempt %d in slot 0", start, second)
	}
	h.sample(subjects.Usage{Idle: 0.5, MemoryFree: 1})
	h.now = h.now.Add(time.Second)
	if kill, ok := firstAction[Kill](h.sample(subjects.Usage{Idle: 0.5})); !ok || kill.Attempt != second {
		t.Errorf("%+v for the reserve, want attempt %d: the other one runs no more", kill, second)
	}
	h.report(Ended{Attempt: first, Run: subjects.Run{Seconds: 1}})
	if done := h.decide()[0].(*subjects.Finished); done.Attempt != first || math.Abs(done.Residual-1) > 1e-9 {
		t.Errorf("finished = %+v, want attempt %d with residual 1", done, first)
	}
}

func TestStartedIsSaidOnceAndAFastTaskByItsEndAlone(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	slow := h.seq
	h.assign(1, 1)
	h.report(Running{Attempt: slow, At: 7})
	h.report(Ended{Attempt: slow + 1})
	var said []string
	for range 3 {
		for _, e := range h.decide() {
			said = append(said, fmt.Sprintf("%T", e))
			h.entry(e)
		}
	}
	if want := []string{"*subjects.Started", "*subjects.Finished"}; !slices.Equal(said, want) {
		t.Errorf("said %v, want %v", said, want)
	}
}

func TestDecisionsAreRepeatedUntilTheyComeBack(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	id := h.seq
	h.report(Ended{Attempt: id})
	first, second := h.decide(), h.decide()
	if len(first) != 1 || len(second) != 1 {
		t.Fatalf("said %v, then %v: want the same twice", first, second)
	}
	out := h.entry(first[0])
	if f, ok := firstAction[Forget](out.Actions); !ok || f.Attempt != id || !f.Committed {
		t.Errorf("actions = %+v, want attempt %d forgotten as committed", out.Actions, id)
	}
	if again := h.decide(); len(again) != 0 {
		t.Errorf("events after it came back = %v, want none", again)
	}
}

func TestAStandbyDoesNothing(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.term = 0
	if out := h.assign(0, 0); len(out.Actions)+len(out.Events) != 0 {
		t.Errorf("%+v without a term, want nothing", out)
	}
}

func TestSnapshotHoldsWhatTheLogSays(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	h.assign(1, 1)
	h.entry(&subjects.Revoked{Host: "h", Job: "j", Attempt: 2})
	h.entry(&subjects.Drained{Host: "h"})
	b, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := New(Config{Host: "h"})
	if err := again.Restore(b); err != nil {
		t.Fatal(err)
	}
	c, err := again.Snapshot()
	if err != nil || !slices.Equal(b, c) {
		t.Errorf("snapshot of a restored actor = %x, %v, want %x", c, err, b)
	}
	if err := again.Restore([]byte{0xdd, 0xff, 0xff, 0xff, 0xff, 1}); err == nil {
		t.Error("Restore(damaged bytes) = nil, want an error")
	}
}

// The ledger voids an assignment after a pause or drain. The host must not start it
// either, even if it reads the assignment and the end of the pause at once.
func TestAnAssignmentBehindAPauseIsVoid(t *testing.T) {
	for _, word := range []subjects.Event{&subjects.Paused{Host: "h"}, &subjects.Drained{Host: "h"}} {
		h := joined(Config{Cores: 1, Slots: 1})
		h.term = 0 // nothing is acted upon while the log is read
		for _, e := range []subjects.Event{
			word, &subjects.Assigned{Host: "h", Job: "j", Term: 1, Width: 1}, &subjects.Resumed{Host: "h"},
		} {
			h.entry(e)
		}
		h.term = 1
		out := h.step(actors.Input{Decide: true})
		if start, ok := firstAction[Start](out.Actions); ok || len(out.Events) > 0 {
			t.Errorf("behind %T: start %+v, events %+v, want none", word, start, out.Events)
		}
		if _, ok := firstAction[Start](h.assign(1, 0).Actions); !ok {
			t.Errorf("after %T was taken back nothing starts, want a start", word)
		}
	}
}

// When an operator gives a host up, its attempts must end, because the ledger voids their results.
func TestWhatWasGivenUpEnds(t *testing.T) {
	for _, word := range []subjects.Event{&subjects.Lost{Host: "h", Term: 1, Forget: true}, &subjects.Drained{Host: "h", Forget: true}} {
		h := joined(Config{Cores: 1, Slots: 1})
		if _, ok := firstAction[Start](h.assign(0, 0).Actions); !ok {
			t.Fatal("the task does not start, want a start")
		}
		if _, ok := firstAction[Kill](h.entry(&subjects.Drained{Host: "h", Forget: true}).Actions); ok {
			t.Error("Drained of a present host kills its task, want no kill")
		}
		h.entry(&subjects.Lost{Host: "h", Term: 1})
		if kill, ok := firstAction[Kill](h.entry(word).Actions); !ok || kill.Reason != subjects.ReasonRevoked {
			t.Errorf("%T of a lost host: %+v, want a kill as revoked", word, kill)
		}
	}
}

package actor

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// An assignment that was trimmed from the log while its host was down is never read, and
// would occupy its slot for ever. The slotter revokes it, and the host reports its end.
func TestAHostAnswersForWhatItNeverRead(t *testing.T) {
	h := full()
	h.entry(&subjects.Revoked{Host: "h", Job: "gone", Attempt: 1, Unheld: true, Stage: 2, Task: 7})
	events := h.decide()
	if len(events) != 1 {
		t.Fatalf("events = %v, want one", events)
	}
	e, ok := events[0].(*subjects.Evicted)
	want := subjects.Fact{TaskID: subjects.TaskID{Stage: 2, Task: 7}, Term: h.term, Attempt: 1}
	if !ok || e.Job != "gone" || e.Fact != want || e.Reason != subjects.ReasonVanished {
		t.Errorf("evicted = %+v, want %+v as vanished", events[0], want)
	}
	h.echo()
	if out := h.step(actors.Input{Decide: true}); len(out.Events) != 0 || len(h.beat().Attempts) != 2 {
		t.Errorf("events once it is in the log = %v, attempts = %v, want none, two", out.Events, h.beat().Attempts)
	}
	h.entry(&subjects.Revoked{Host: "h", Job: "gone", Attempt: 9})
	if events := h.decide(); len(events) != 0 {
		t.Errorf("events without a question = %v, want none", events)
	}
}

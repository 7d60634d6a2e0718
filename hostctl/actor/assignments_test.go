package actor

import (
	"testing"

	"lull/subjects"
)

// A task that runs although the log has an end of it, by another writer, keeps its slot until its process is gone.
func TestATaskWhoseEndAnotherWroteIsEnded(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1, Ahead: 1})
	h.assign(0, 0)
	id := h.seq
	h.report(Running{Attempt: id})
	out := h.entry(&subjects.Finished{Host: "h", Job: "j", Fact: subjects.Fact{Term: h.term, Attempt: id}})
	if kill, ok := firstAction[Kill](out.Actions); !ok || kill.Attempt != id {
		t.Errorf("actions = %+v, want a kill of attempt %d", out.Actions, id)
	}
	if start, ok := firstAction[Start](h.assign(1, 1).Actions); ok {
		t.Fatalf("start = %+v while attempt %d has the slot, want none", start, id)
	}
	h.report(Ended{Attempt: id, Outcome: Evicted, Reason: subjects.ReasonRevoked})
	if h.attempt(id) != nil {
		t.Errorf("attempt %d is still held after its end, want it forgotten", id)
	}
	for _, e := range h.decide() {
		if f, _ := subjects.EndOf(e); f != nil && f.Attempt == id {
			t.Errorf("decided %+v, want no second end of attempt %d", e, id)
		}
	}
}

package actor

import (
	"slices"
	"testing"

	"lull/actors"
	"lull/subjects"
)

func (h *host) missed() (ids []uint64) {
	for _, e := range h.decide() {
		if e, ok := e.(*subjects.OutputMissing); ok {
			ids = append(ids, e.Attempt)
		}
	}
	return ids
}

func TestWhatIsMissingIsSaidUntilItComesBack(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1})
	h.report(Missing{[]Output{{Attempt: 9, Job: "j"}, {Attempt: 4, Job: "j", TaskID: subjects.TaskID{Stage: 1, Task: 2}, Folder: "/data/4"}}})
	h.report(Missing{[]Output{{Attempt: 9, Job: "j"}}})
	for range 2 {
		if said := h.missed(); !slices.Equal(said, []uint64{4, 9}) {
			t.Fatalf("missing = %v, want [4 9]", said)
		}
	}
	first := h.decide()[0].(*subjects.OutputMissing)
	want := subjects.Fact{TaskID: subjects.TaskID{Stage: 1, Task: 2}, Term: h.term, Attempt: 4}
	if first.Fact != want || first.Host != "h" || first.Job != "j" || first.Folder != "/data/4" {
		t.Errorf("OutputMissing = %+v, want %+v of j on h, /data/4", first, want)
	}
	h.entry(first)
	if said := h.missed(); !slices.Equal(said, []uint64{9}) {
		t.Errorf("then it says that %v are missing, want 9", said)
	}
	h.entry(&subjects.OutputMissing{Host: "h", Job: "j", Fact: subjects.Fact{Attempt: 9}})
	if said := h.missed(); len(said) > 0 {
		t.Errorf("missing at last = %v, want none", said)
	}
}

func TestWhatIsMissingIsSaidInTheNewTerm(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1})
	h.report(Missing{[]Output{{Attempt: 9, Job: "j"}}})
	h.entry(&subjects.Joined{Host: "h"})
	h.term = h.seq
	if e := h.decide()[0].(*subjects.OutputMissing); e.Term != h.term {
		t.Errorf("term of OutputMissing = %d, want %d", e.Term, h.term)
	}
}

// A job that waits for its inputs must not wait until the ends of other jobs' brief tasks are
// reported.
func TestWhatIsMissingIsSaidAtOnce(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1, Ahead: 2})
	for i := range uint32(3) {
		h.assign(i, i)
	}
	h.report(Missing{[]Output{{Attempt: 1, Job: "j"}}})
	if len(h.missed()) != 1 {
		t.Error("events for one missing output are not 1, want it reported at once")
	}
}

func TestManyMissingOutputsAreSaidBatchByBatch(t *testing.T) {
	h := joined(Config{Cores: 1, Slots: 1})
	var all []Output
	for i := range uint64(2 * maxMissing) {
		all = append(all, Output{Attempt: i + 1, Job: "j"})
	}
	h.report(Missing{all})
	if len(h.missing.outputs) != maxMissing || len(h.missed()) != actors.MaxBatch {
		t.Errorf("outputs to report, reported at once = %d, %d, want %d, %d", len(h.missing.outputs), len(h.missed()), maxMissing, actors.MaxBatch)
	}
}

package actor

import (
	"fmt"
	"testing"

	"lull/actors"
	"lull/subjects"
)

func (h *host) identified(model string, b float64, refused string) {
	h.entry(&subjects.Identified{Host: "h", Job: "j", Fact: subjects.Fact{Term: h.term}, Model: model, A: 0.1, B: b, R2: 0.9, Sample: 0.2, Refused: refused})
}

// known returns the models that the shell of a new process receives, restored from a snapshot.
func (h *host) known(t *testing.T) (models []KnownModel) {
	t.Helper()
	saved, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := &host{Actor: New(Config{Host: "h", Cores: 2, Slots: 2}), now: h.now, seq: h.seq, term: h.seq + 1}
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	for _, a := range again.entry(&subjects.Joined{Host: "h"}).Actions {
		if k, ok := a.(KnownModel); ok {
			models = append(models, k)
		}
	}
	if _, ok := firstAction[KnownModel](again.step(actors.Input{Report: Adopted{}}).Actions); ok {
		t.Error("KnownModel after it was adopted twice, want it once")
	}
	return models
}

// What was learnt outlives the process, the latest word on each model; what was
// refused, or is of no known model, is not worth keeping.
func TestWhatWasLearntIsKnownToTheNextProcess(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.identified("sort", 1e6, "")
	h.identified("grep", 2e6, "")
	h.identified("sort", 3e6, "")
	h.identified("grep", 0, "the fit is poor")
	h.identified("", 4e6, "")
	want := "[{grep 0.1 2e+06 0.9 0.2 0} {sort 0.1 3e+06 0.9 0.2 0}]"
	if got := fmt.Sprint(h.known(t)); got != want {
		t.Errorf("the next process knows\n%s, want\n%s", got, want)
	}
}

func TestOnlyTheLatestModelsAreRemembered(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	for i := range maxKnown + 3 {
		h.identified(fmt.Sprint(i), 1e6, "")
	}
	models := h.known(t)
	if len(models) != maxKnown || models[0].Model != "3" {
		t.Errorf("models known = %d, the oldest %+v, want %d, 3", len(models), models[0], maxKnown)
	}
}

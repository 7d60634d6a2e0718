package actor

import (
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
)

func (h *host) paced(job string, rate float64) actors.Output {
	e := &subjects.Paced{Host: "h", Job: job, Term: h.term, Share: 0.5, Why: "share"}
	if rate > 0 {
		e.Rates = []subjects.Rate{{Stage: 0, Rate: rate}}
	}
	return h.entry(e)
}

// is reports whether one of the actions paces an attempt so.
func is(actions []actors.Action, attempt uint64, rate float64) bool {
	p, ok := firstAction[Pace](actions)
	return ok && p.Attempt == attempt && !differ(p.Rate, rate)
}

func TestPaceReachesWhatRunsAndWhatStartsLater(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	first := h.seq
	if out := h.paced("j", 5e6); !is(out.Actions, first, 5e6) {
		t.Fatalf("actions on Paced = %+v, want 5e6 for attempt %d", out.Actions, first)
	}
	if out := h.paced("j", 5e6); len(out.Actions) > 0 {
		if p, ok := firstAction[Pace](out.Actions); ok {
			t.Errorf("actions on the same Paced = %+v, want none", p)
		}
	}
	if out := h.assign(1, 1); !is(out.Actions, h.seq, 5e6) {
		t.Errorf("actions on a later start = %+v, want 5e6", out.Actions)
	}
	if out := h.paced("other", 1e6); len(out.Actions) > 0 {
		if p, ok := firstAction[Pace](out.Actions); ok {
			t.Errorf("actions on another job's Paced = %+v, want none", p)
		}
	}
	if out := h.paced("j", 0); !is(out.Actions, first, 0) {
		t.Errorf("actions when the pace is lifted = %+v, want 0", out.Actions)
	}
}

func TestPaceOfAnotherTermIsVoid(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	e := &subjects.Paced{Host: "h", Job: "j", Term: h.term + 7, Rates: []subjects.Rate{{Rate: 1}}}
	if p, ok := firstAction[Pace](h.entry(e).Actions); ok {
		t.Errorf("actions on Paced of another term = %+v, want none", p)
	}
}

// An agent that was killed paces what it adopts as the log says, until the slotter
// has had time to say it again.
func TestPaceSurvivesARestart(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.assign(0, 0)
	attempt := h.seq
	h.paced("j", 5e6)
	saved, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := &host{Actor: New(Config{Host: "h", Cores: 2, Slots: 2}), now: h.now, seq: h.seq, term: h.seq + 1}
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	again.entry(&subjects.Joined{Host: "h"})
	out := again.step(actors.Input{Report: Adopted{[]Held{{Attempt: attempt}}}})
	if !is(out.Actions, attempt, 5e6) {
		t.Fatalf("actions after the restart = %+v, want 5e6", out.Actions)
	}
	if wait := out.Wake.Sub(again.now); wait <= 0 || wait > renewal {
		t.Errorf("wakes in %v, want at most %v", wait, renewal)
	}
	again.now = again.now.Add(renewal + time.Second)
	if out := again.step(actors.Input{}); !is(out.Actions, attempt, 0) {
		t.Errorf("actions when the pace is not renewed = %+v, want 0", out.Actions)
	}
}

func TestRenewedPaceStays(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.paced("j", 5e6)
	h.term = h.seq + 1
	h.entry(&subjects.Joined{Host: "h"})
	h.paced("j", 5e6)
	h.now = h.now.Add(renewal + time.Second)
	if out := h.assign(0, 0); !is(out.Actions, h.seq, 5e6) {
		t.Errorf("actions on a start = %+v, want 5e6", out.Actions)
	}
}

func TestWhatWasLearntIsOwedUntilItStands(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	task := Task{Attempt: 7, Job: "j", TaskID: subjects.TaskID{Stage: 2, Task: 3}}
	h.report(Identified{Task: task, A: 0.2, B: 5e7, R2: 0.9, Sample: 0.2, Samples: 55})
	h.report(Identified{Task: Task{Attempt: 8, Job: "j", TaskID: subjects.TaskID{Stage: 2}}, A: 0.3})
	var said *subjects.Identified
	for range 2 { // its first batch was lost
		events := h.decide()
		if len(events) != 1 {
			t.Fatalf("said %+v, want one lesson", events)
		}
		said = events[0].(*subjects.Identified)
		if said.Job != "j" || said.Attempt != 7 || said.Term != h.term || said.Stage != 2 || differ(said.B, 5e7) {
			t.Fatalf("Identified = %+v, want attempt 7 of j, stage 2, B 5e7", said)
		}
	}
	h.entry(said)
	if events := h.decide(); len(events) > 0 {
		t.Errorf("Identified once it is in the log = %+v, want none", events)
	}
}

func TestARefusedModelHasNoFigures(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	h.report(Identified{Task: Task{Attempt: 7, Job: "j"}, A: 1e300, B: -1e300, Refused: "it reads nothing"})
	said := h.decide()[0].(*subjects.Identified)
	if differ(said.A, 0) || differ(said.B, 0) || said.Refused == "" {
		t.Errorf("Identified = %+v, want it refused with no figures", said)
	}
}

func TestPacedJobsAreBounded(t *testing.T) {
	h := joined(Config{Cores: 2, Slots: 2})
	for i := range maxPaced + 50 {
		h.paced(string(rune('a'+i%26))+string(rune('a'+i/26)), 1)
	}
	if len(h.pace.jobs) > maxPaced {
		t.Errorf("jobs remembered = %d, want at most %d", len(h.pace.jobs), maxPaced)
	}
}

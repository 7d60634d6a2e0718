package ledger

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// tell folds events one after the other, and returns the change of the last one.
func tell(s *State, events ...subjects.Event) (v Change) {
	for _, e := range events {
		v = s.Apply(s.Seq+1, time.Unix(0, int64(s.Seq)), e)
	}
	return v
}

// paceable is a host of term 1 that runs task 0 of a job's first stage.
func paceable() *State {
	s := New()
	stage := func(name string) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 1}
	}
	tell(s,
		&subjects.Joined{Host: "x", Cores: 2, Slots: 2, Memory: 1 << 30},
		&subjects.Submitted{Job: "a", Spec: spec.Job{Name: "a", Type: "a", Stages: []spec.Stage{stage("one"), stage("two")}}},
		&subjects.Admitted{Job: "a"},
		&subjects.Assigned{Host: "x", Job: "a", Term: 1, Width: 1},
	)
	return s
}

func TestAPaceIsInForceForTheIncarnationThatItWasSentTo(t *testing.T) {
	s := paceable()
	at := s.Attempt(4)
	if at.Rate() != 0 || at.Paced {
		t.Fatalf("it was not paced: %v", at.Rate())
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Rates: []subjects.Rate{{Stage: 0, Rate: 5e6}}, Share: 0.5, Why: "share", For: []string{"b"}})
	if at.Rate() != 5e6 || !at.Paced {
		t.Errorf("it reads %v, paced %v", at.Rate(), at.Paced)
	}
	tell(s, &subjects.Assigned{Host: "x", Job: "a", Term: 1, TaskID: subjects.TaskID{Task: 1}, Slot: 1, Width: 1})
	if later := s.Attempt(6); later.Rate() != 5e6 || !later.Paced {
		t.Errorf("one that came later reads %v", later.Rate())
	}
	restored := New()
	if err := restored.Restore(must(s.Snapshot())); err != nil {
		t.Fatal(err)
	}
	if got := restored.Attempt(4); got.Rate() != 5e6 || got.Job.Pace(got.Host).Share != 0.5 || got.Job.Pace(got.Host).For[0] != "b" {
		t.Errorf("a restored ledger lets it read %v", got.Rate())
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Why: "share"})
	if at.Rate() != 0 || !at.Paced {
		t.Errorf("lifted, it reads %v; that it was paced is history: %v", at.Rate(), at.Paced)
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Rates: []subjects.Rate{{Rate: 1}}},
		&subjects.Joined{Host: "x", Cores: 2, Slots: 2, Memory: 1 << 30})
	if at.Rate() != 0 {
		t.Errorf("a new incarnation was not told, and %v is in force", at.Rate())
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestPacesWithoutAJobOrHostAreVoid(t *testing.T) {
	for what, e := range map[string]*subjects.Paced{
		"another job":         {Host: "x", Job: "b", Term: 1},
		"another host":        {Host: "y", Job: "a", Term: 1},
		"another incarnation": {Host: "x", Job: "a", Term: 9},
		"another stage":       {Host: "x", Job: "a", Term: 1, Rates: []subjects.Rate{{Stage: 2}}},
	} {
		if v := tell(paceable(), e); v.Outcome != Void {
			t.Errorf("%s: %+v", what, v)
		}
	}
}

func TestQueuesKeepWhatWasSaidOfThem(t *testing.T) {
	s := New()
	tell(s, &subjects.Shared{Queue: "b", Weight: 2, Jobs: 1}, &subjects.Shared{Queue: "a", Weight: 0.5}, &subjects.Shared{Queue: "b", Weight: 3})
	list := func() (text string) {
		for q := range s.Queues() {
			text += fmt.Sprintf("{%s %g %d}", q.Name, q.Weight, q.Jobs)
		}
		return text
	}
	if got, want := list(), "{a 0.5 0}{b 3 0}"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if q, said := s.Queue("c"); said || q.Weight != 1 {
		t.Errorf("of a queue that no event named: %+v, %v", q, said)
	}
	if v := tell(s, &subjects.Shared{Queue: "a"}); v.Outcome != Accepted || list() != "{b 3 0}" {
		t.Errorf("taken back: %+v, left %s", v, list())
	}
	if v := tell(s, &subjects.Shared{Queue: "a"}); v.Outcome != Void {
		t.Errorf("what was never said was taken back: %+v", v)
	}
}

func TestTheLastResponseThatHoldsIsKept(t *testing.T) {
	s := paceable()
	id := func(a, b float64, refused string) *subjects.Identified {
		return &subjects.Identified{Host: "x", Job: "a", Fact: subjects.Fact{Term: 1, TaskID: subjects.TaskID{Stage: 1}}, A: a, B: b, Refused: refused}
	}
	tell(s, id(0.2, 8e6, ""), id(0.5, 1, "R² is 0.3"), id(1.5, 1e6, ""), id(0.5, -1, ""))
	if got := s.Steady("a:two"); got != 1e7 {
		t.Errorf("it settles at %v bytes/s, want %v", got, 1e7)
	}
	if s.Steady("a:one") != 0 || s.Response("a:one") != nil {
		t.Error("a model that was not identified has a response")
	}
}

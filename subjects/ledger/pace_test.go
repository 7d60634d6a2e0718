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
		t.Fatalf("before Paced: rate %v, paced %v, want 0, false", at.Rate(), at.Paced)
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Rates: []subjects.Rate{{Stage: 0, Rate: 5e6}}, Share: 0.5, Why: "share", For: []string{"b"}})
	if at.Rate() != 5e6 || !at.Paced {
		t.Errorf("after Paced: rate %v, paced %v, want 5e6, true", at.Rate(), at.Paced)
	}
	tell(s, &subjects.Assigned{Host: "x", Job: "a", Term: 1, TaskID: subjects.TaskID{Task: 1}, Slot: 1, Width: 1})
	if later := s.Attempt(6); later.Rate() != 5e6 || !later.Paced {
		t.Errorf("of a later attempt: rate %v, paced %v, want 5e6, true", later.Rate(), later.Paced)
	}
	restored := New()
	if err := restored.Restore(must(s.Snapshot())); err != nil {
		t.Fatal(err)
	}
	if got := restored.Attempt(4); got.Rate() != 5e6 || got.Job.Pace(got.Host).Share != 0.5 || got.Job.Pace(got.Host).For[0] != "b" {
		t.Errorf("restored: rate %v, pace %+v, want 5e6, a share of 0.5 for b", got.Rate(), got.Job.Pace(got.Host))
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Why: "share"})
	if at.Rate() != 0 || !at.Paced {
		t.Errorf("after the pace was lifted: rate %v, paced %v, want 0, true", at.Rate(), at.Paced)
	}
	tell(s, &subjects.Paced{Host: "x", Job: "a", Term: 1, Rates: []subjects.Rate{{Rate: 1}}},
		&subjects.Joined{Host: "x", Cores: 2, Slots: 2, Memory: 1 << 30})
	if at.Rate() != 0 {
		t.Errorf("rate after the host joined again = %v, want 0", at.Rate())
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
			t.Errorf("Paced with %s = %+v, want void", what, v)
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
		t.Errorf("Queues() = %s, want %s", got, want)
	}
	if q, said := s.Queue("c"); said || q.Weight != 1 {
		t.Errorf("Queue(c), which no event named, = %+v, %v, want weight 1, false", q, said)
	}
	if v := tell(s, &subjects.Shared{Queue: "a"}); v.Outcome != Accepted || list() != "{b 3 0}" {
		t.Errorf("Shared without values = %+v and left %s, want accepted and {b 3 0}", v, list())
	}
	if v := tell(s, &subjects.Shared{Queue: "a"}); v.Outcome != Void {
		t.Errorf("Shared without values, of a queue that has none, = %+v, want void", v)
	}
}

func TestTheLastResponseThatHoldsIsKept(t *testing.T) {
	s := paceable()
	id := func(a, b float64, refused string) *subjects.Identified {
		return &subjects.Identified{Host: "x", Job: "a", Fact: subjects.Fact{Term: 1, TaskID: subjects.TaskID{Stage: 1}}, A: a, B: b, Refused: refused}
	}
	tell(s, id(0.2, 8e6, ""), id(0.5, 1, "R² is 0.3"), id(1.5, 1e6, ""), id(0.5, -1, ""))
	if got := s.Steady("a:two"); got != 1e7 {
		t.Errorf("Steady(a:two) = %v bytes/s, want %v", got, 1e7)
	}
	if s.Steady("a:one") != 0 || s.Response("a:one") != nil {
		t.Errorf("Steady, Response of a:one = %v, %v, want 0, nil", s.Steady("a:one"), s.Response("a:one"))
	}
}

package ledger

import (
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

func cancelOf(stage uint32, first, count uint32) *subjects.TasksCancelled {
	return &subjects.TasksCancelled{Job: "j", Tasks: []subjects.StageTasks{{Stage: stage, Tasks: []subjects.Span{{First: first, Count: count}}}}}
}

// Cancelled tasks end, with those that read them by task, and the job finishes with the others.
func TestCancelledTasksEndAndTheJobGoesOn(t *testing.T) {
	sc := &script{t, New()}
	sc.must(&subjects.Joined{Host: "h", Slots: 8, Cores: 8, Memory: 99}, &subjects.Submitted{Job: "j", Spec: chain()}, &subjects.Admitted{Job: "j"})
	sc.run(0, 0, finish)
	sc.run(0, 1, nil)
	running := sc.s.Seq
	sc.must(cancelOf(0, 0, 3))
	j := sc.s.Job("j")
	want := [][]TaskState{{Done, Dropped, Dropped}, {Waiting, Dropped, Dropped}, {Waiting}, {Waiting}}
	if got := states(j); !slices.EqualFunc(got, want, slices.Equal) {
		t.Fatalf("states after the cancel = %v, want %v", got, want)
	}
	if !sc.s.Attempt(running).Unwanted() {
		t.Error("the running attempt of a cancelled task is wanted, want it stopped")
	}
	if v := sc.say(cancelOf(0, 1, 1)); v.Outcome != Void {
		t.Error("a second cancel of the same task is accepted, want it refused")
	}
	sc.must(finish(subjects.Fact{TaskID: subjects.TaskID{Task: 1}, Term: 1, Attempt: running}))
	if st, _, _ := j.Stages[0].Task(1); st != Dropped {
		t.Errorf("a late finish makes the cancelled task %v, want it cancelled", st)
	}
	for _, id := range []subjects.TaskID{{Stage: 1}, {Stage: 2}, {Stage: 3}} {
		sc.run(id.Stage, id.Task, finish)
	}
	if _, failed := j.Dead(); failed || !j.Complete() {
		t.Fatal("the job is not complete without its cancelled tasks, want it to finish")
	}
	again := New()
	if err := again.Restore(snapshotOf(t, sc.s)); err != nil || again.Job("j").Stages[1].Dropped != 2 || !again.Job("j").Complete() {
		t.Errorf("a snapshot keeps %d cancelled tasks (%v), want 2", again.Job("j").Stages[1].Dropped, err)
	}
	sc.must(&subjects.JobFinished{Job: "j"}, &subjects.Retried{Job: "j"})
	want = [][]TaskState{{Done, Waiting, Waiting}, {Done, Waiting, Waiting}, {Waiting}, {Done}}
	if got := states(j); !slices.EqualFunc(got, want, slices.Equal) || j.Stages[0].Dropped+j.Stages[0].Dead != 0 {
		t.Errorf("states after a retry = %v, want %v", got, want)
	}
	sc.must(&subjects.Cancelled{Job: "j"})
	if v := sc.say(cancelOf(0, 1, 1)); v.Outcome != Void {
		t.Error("a cancel of a task of an ended job is accepted, want it refused")
	}
}

func TestACancelOfTasksThatAreNoneIsRefused(t *testing.T) {
	for name, e := range map[string]*subjects.TasksCancelled{
		"a task beyond the last": cancelOf(0, 3, 1), "a stage beyond the last": cancelOf(9, 0, 1), "no task": {Job: "j"}, "too many": cancelOf(0, 1, 1<<32-1),
	} {
		sc := &script{t, New()}
		sc.must(&subjects.Submitted{Job: "j", Spec: chain()}, &subjects.Admitted{Job: "j"})
		if v := sc.say(e); v.Outcome != Void || sc.s.Job("j").Stages[0].Dropped != 0 {
			t.Errorf("%s: %+v, want it void", name, v)
		}
	}
}

func TestNamedTasksAreThoseOfTheJobAFewTimesAtMost(t *testing.T) {
	job := &spec.Job{Stages: []spec.Stage{{Tasks: 10}}}
	all := subjects.Span{Count: 10}
	for name, c := range map[string]struct {
		named []subjects.StageTasks
		ok    bool
	}{
		"all, twice":             {[]subjects.StageTasks{{Tasks: []subjects.Span{all, all}}}, true},
		"no such stage":          {[]subjects.StageTasks{{Stage: 1<<32 - 1}}, false},
		"no such task":           {[]subjects.StageTasks{{Tasks: []subjects.Span{{First: 10, Count: 1}}}}, false},
		"all, again and again":   {[]subjects.StageTasks{{Tasks: []subjects.Span{all, all, all}}, {Tasks: []subjects.Span{all, all}}}, false},
		"a span that turns over": {[]subjects.StageTasks{{Tasks: []subjects.Span{{First: 1<<32 - 1, Count: 2}}}}, false},
	} {
		if _, ok := namedTasks(job, c.named); ok != c.ok {
			t.Errorf("%s: ok = %v, want %v", name, ok, c.ok)
		}
	}
}

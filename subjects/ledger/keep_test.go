package ledger

import (
	"fmt"
	"testing"

	"lull/subjects"
)

func TestOldJobsAreForgotten(t *testing.T) {
	sc := &script{t, New()}
	for i := range keepJobs + 2 {
		sc.must(&subjects.Rejected{Job: fmt.Sprint("r", i)})
	}
	if sc.s.Job("r1") != nil || sc.s.Job("r2") == nil || len(sc.s.Jobs()) != keepJobs {
		t.Errorf("%d jobs are kept, want the last %d", len(sc.s.Jobs()), keepJobs)
	}
}

func TestOldJobsLeaveASummary(t *testing.T) {
	sc := &script{t, New()}
	end := func(id string) {
		sc.must(&subjects.Submitted{Job: id, Spec: twoStages()})
		sc.s.jobs[id].Totals.Tasks = keepTasks/2 + 1 // as if it had so many
		sc.must(&subjects.Cancelled{Job: id})
	}
	end("old")
	end("new")
	if j := sc.s.Job("old"); j == nil || j.Stages != nil || j.Spec.Name != "job" {
		t.Errorf("the older job is not a summary: %+v", j)
	}
	if len(sc.s.Job("new").Stages) != 2 {
		t.Error("the newer job lost its tasks")
	}
	if v := sc.say(&subjects.Retried{Job: "old"}); v.Why != "only a summary of the job is left" {
		t.Errorf("a retry of a summary is %+v", v)
	}
	if _, err := sc.s.Snapshot(); err != nil {
		t.Error(err)
	}
	if err := New().Restore(snapshotOf(t, sc.s)); err != nil {
		t.Errorf("a summary does not survive a snapshot: %v", err)
	}
}

// A job whose attempts still run keeps its tasks, which the attempts point to.
func TestAJobWithAttemptsIsNotForgotten(t *testing.T) {
	sc := &script{t, New()}
	sc.must(running()...)
	sc.s.jobs["j"].Totals.Tasks = keepTasks + 1
	sc.must(&subjects.Cancelled{Job: "j"})
	if len(sc.s.Job("j").Stages) != 2 {
		t.Fatal("its tasks are gone")
	}
	sc.must(finished)
}

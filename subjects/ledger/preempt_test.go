package ledger

import (
	"testing"

	"lull/subjects"
)

// An attempt that makes way for another job counts as evicted, waits without
// backoff, and costs its task no retry however often it happens.
func TestMakingWayCostsNoRetry(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, submitted, admitted)
	j := sc.s.jobs["j"]
	for range 5 { // the stage has one retry
		sc.must(given)
		at := subjects.Fact{Term: 1, Attempt: sc.s.Seq}
		sc.must(&subjects.Revoked{Host: "h", Job: "j", Attempt: at.Attempt, For: "k"},
			&subjects.Evicted{Host: "h", Job: "j", Fact: at, Run: subjects.Run{CPU: 2}, Reason: subjects.ReasonPreempted})
	}
	if task := j.Stages[0].at(0); task.state != Waiting || task.fails != 0 || j.Stages[0].Wake(0) != 0 {
		t.Errorf("task 0 = %+v, backoff until %d, want waiting with no failure and no backoff", task, j.Stages[0].Wake(0))
	}
	if j.Totals.Evicted != 5 || j.Stages[0].Evicted != 5 || j.Totals.Failed != 0 || j.Totals.CPU < 9.9 {
		t.Errorf("totals of the job = %+v, want 5 evicted, 0 failed and at least 9.9 s of CPU", j.Totals)
	}
	if err := sc.s.broken(); err != nil {
		t.Error(err)
	}
}

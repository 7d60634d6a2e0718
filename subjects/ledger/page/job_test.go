package page

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// A task of a cancelled job is counted once, from the cancel to the last word of its host.
func TestACancelledTaskIsCountedOnce(t *testing.T) {
	s := ledger.New()
	must := func(e subjects.Event) {
		t.Helper()
		if c := s.Apply(s.Seq+1, time.Unix(int64(s.Seq), 0), e); c.Outcome == ledger.Void {
			t.Fatalf("Apply(%T) is void: %s, want it accepted", e, c.Why)
		}
	}
	must(&subjects.Joined{Host: "h", Cores: 2, Slots: 2, Memory: 1 << 30})
	must(&subjects.Submitted{Job: "j", Spec: spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{{Name: "s", Argv: []string{"true"}, Tasks: 2, CPU: 1, Memory: 1}}}})
	must(&subjects.Admitted{Job: "j"})
	must(&subjects.Assigned{Host: "h", Job: "j", Term: 1, Try: 1, Width: 1})
	fact := subjects.Fact{Term: 1, Attempt: s.Seq}
	must(&subjects.Started{Host: "h", Job: "j", Fact: fact})
	for _, e := range []subjects.Event{
		&subjects.Cancelled{Job: "j"},
		&subjects.Revoked{Host: "h", Job: "j", Attempt: fact.Attempt},
		&subjects.Evicted{Host: "h", Job: "j", Fact: fact, Reason: subjects.ReasonRevoked},
	} {
		must(e)
		j := s.Job("j")
		line := Detail(s, j, subjects.CPUSum{}).Stages[0]
		if n := line.Waiting + line.Running + line.Done + line.Dead; n > line.Tasks || line.Running != 0 {
			t.Errorf("after %T: %d waiting, %d running, %d done and %d dead of %d tasks, want no more than there are and none running", e, line.Waiting, line.Running, line.Done, line.Dead, line.Tasks)
		}
		if j.Totals.Evicted != 0 || line.Evicted != 0 || j.Totals.Attempts != 1 {
			t.Errorf("after %T: attempts, evicted of the job, of the stage = %d, %d, %d, want 1, 0, 0", e, j.Totals.Attempts, j.Totals.Evicted, line.Evicted)
		}
	}
}

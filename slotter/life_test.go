package slotter

import (
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func TestAJobOfTwoStagesRunsToItsEnd(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 4, 100, 4)
	reduce := tasks("reduce", 2)
	reduce.From = []spec.From{{Stage: 0}}
	p.submit("words", 0, tasks("map", 10), reduce)

	attempts := 0
	for range 10 {
		p.settle()
		attempts += p.finish()
	}
	j := p.a.facts.Ledger.Job("words")
	if j.Phase != ledger.Finished {
		t.Fatalf("the job is %s, want finished", j.Phase)
	}
	if attempts != 12 || j.Totals.Attempts != 12 {
		t.Errorf("attempts of 12 tasks = %d, in the totals %d, want 12", attempts, j.Totals.Attempts)
	}
	last, ok := p.log[len(p.log)-2].(*subjects.JobFinished) // behind it: the first model of reduce
	if !ok || last.Totals.Tasks != 12 || last.Totals.CPU != 120 {
		t.Errorf("the log ends with %+v, want the job finished with 12 tasks and 120 s", p.log[len(p.log)-2:])
	}
}

// A job may be cancelled before its verdict, and be retried. It waits for slots then, until it ends.
func TestAJobThatIsRetriedWithoutAVerdictEnds(t *testing.T) {
	p := newPool(t, Config{})
	p.say(&subjects.Submitted{Job: "j", Spec: spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{tasks("s", 1)}}, Inbox: 1},
		&subjects.Cancelled{Job: "j"}, &subjects.Retried{Job: "j"}, &subjects.Cancelled{Job: "j"})
	p.join("a", 1, 1000, 1)
	if events := p.settle(); len(events) > 0 {
		t.Errorf("decisions about a cancelled job = %+v, want none", events)
	}
}

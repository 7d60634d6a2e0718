package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

func (p *pool) submitAfter(id string, deadline time.Duration, after ...spec.AfterJob) {
	p.submitSpec(id, deadline, spec.Job{Name: "job", Type: "t", AfterJobs: after, Stages: []spec.Stage{tasks("only", 1)}})
}

// Jobs that wait for another one have the turn of their deadlines once they may run, also after restarts.
func TestJobsThatRunAfterOthersWaitAside(t *testing.T) {
	p := newPool(t, Config{Policy: "edf"})
	p.join("h", 1, 1<<40, 1)
	p.submitAfter("first", 0)
	for i := range 2 * nearJobs {
		p.submitAfter(fmt.Sprint("waits", i), time.Hour, spec.AfterJob{Job: "first"})
	}
	p.submitAfter("urgent", time.Minute, spec.AfterJob{Job: "first", On: spec.OnAny})
	p.submitAfter("repair", time.Minute, spec.AfterJob{Job: "first", On: spec.OnFailed})
	p.say(&subjects.Cancelled{Job: "waits1", Why: "nobody needs it"})
	for _, want := range []string{"first", "urgent", "waits0", "waits2"} {
		p.settle()
		p.restart()
		p.settle()
		at := p.a.facts.Ledger.Host("h").Attempts()
		if len(at) != 1 || at[0].Job.ID != want {
			t.Fatalf("attempts = %+v, want one of %s", at, want)
		}
		p.finish()
	}
}

// Jobs that wait for another one hold up no job that can run, however many they are and however urgent.
func TestAJobRunsWhileMoreUrgentOnesWaitForAnother(t *testing.T) {
	p := newPool(t, Config{Policy: "edf"})
	p.join("h", 2, 1<<40, 2)
	p.submitAfter("first", 0)
	for i := range 2 * nearJobs {
		p.submitAfter(fmt.Sprint("waits", i), time.Hour, spec.AfterJob{Job: "first"})
	}
	p.submitAfter("next", 0)
	p.settle()
	at := p.a.facts.Ledger.Host("h").Attempts()
	if len(at) != 2 || at[0].Job.ID != "first" || at[1].Job.ID != "next" {
		t.Errorf("attempts = %+v, want those of first and next", at)
	}
}

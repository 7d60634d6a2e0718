package ledger

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// A job that stays open for days does not keep those in memory that waited for it and have ended.
func TestEndedFollowersAreForgotten(t *testing.T) {
	s, at := New(), time.Unix(1, 0)
	seq := uint64(0)
	apply := func(e subjects.Event) {
		seq++
		if c := s.Apply(seq, at, e); c.Outcome == Void {
			t.Fatalf("%+v: %s", e, c.Why)
		}
	}
	submit := func(id string, after ...spec.AfterJob) {
		stage := spec.Stage{Name: "work", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}
		apply(&subjects.Submitted{Job: id, Spec: spec.Job{Name: "job", Type: "job", AfterJobs: after, Stages: []spec.Stage{stage}}})
	}
	submit("long")
	for i := range 3 {
		id := fmt.Sprint("job-", i)
		submit(id, spec.AfterJob{Job: "long"})
		if n := len(s.Followers.of["long"]); n != 1 {
			t.Fatalf("%d jobs wait for the first, want the open one alone", n)
		}
		apply(&subjects.Cancelled{Job: id})
	}
	if len(s.Followers.of) != 0 {
		t.Errorf("jobs are kept that wait for %d others, and all have ended", len(s.Followers.of))
	}
}

package jobs

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Jobs that name no queue are in default, where lull queues counts them.
func TestJobsOfTheDefaultQueueAreFound(t *testing.T) {
	ask, err := (&jobs{queue: "default"}).asked()
	if err != nil {
		t.Fatal(err)
	}
	for queue, want := range map[string]int{"": 1, "default": 1, "other": 0} {
		s := ledger.New()
		job := spec.Job{Name: "j", Type: "j", Queue: queue, Stages: []spec.Stage{{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}}}
		s.Apply(1, time.Unix(1, 0), &subjects.Submitted{Job: "j", Spec: job})
		if got := len(s.Page(&ask).Jobs); got != want {
			t.Errorf("a job of queue %q is listed %d times", queue, got)
		}
	}
}

package story

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// A retry counts if its job had failed or was cancelled, or if what was before is not known any more; a cancel
// counts if its job had not ended.
func TestWhatChangedNothingWasRefused(t *testing.T) {
	submitted, failed, cancelled, retried := &subjects.Submitted{}, &subjects.JobFailed{}, &subjects.Cancelled{}, &subjects.Retried{}
	finished, rejected := &subjects.JobFinished{}, &subjects.Rejected{}
	for _, c := range []struct {
		before        []subjects.Event
		retry, cancel bool // whether it counts
	}{
		{nil, true, true},
		{[]subjects.Event{submitted}, false, true},
		{[]subjects.Event{submitted, rejected}, false, false},
		{[]subjects.Event{rejected}, false, false},
		{[]subjects.Event{submitted, failed}, true, false},
		{[]subjects.Event{submitted, failed, retried}, false, true},
		{[]subjects.Event{submitted, failed, retried, cancelled}, true, false},
		{[]subjects.Event{submitted, cancelled}, true, false},
		{[]subjects.Event{submitted, cancelled, retried}, false, true},
		{[]subjects.Event{submitted, finished}, false, false},
		{[]subjects.Event{submitted, finished, cancelled}, false, false},
	} {
		var retry, cancel lifecycle
		for _, e := range c.before {
			retry.note(e)
			cancel.note(e)
		}
		retry.note(retried)
		cancel.note(cancelled)
		if retry.retried != c.retry || cancel.cancelled != c.cancel {
			t.Errorf("after %T: retried = %v, cancelled = %v, want %v, %v", c.before, retry.retried, cancel.cancelled, c.retry, c.cancel)
		}
	}
}

func TestARefusedRetryForgetsNoFailures(t *testing.T) {
	task := subjects.TaskID{Task: 1}
	fails := actors.Entry{Event: &subjects.Failed{Fact: subjects.Fact{TaskID: task}}}
	history := []actors.Entry{{Event: &subjects.Submitted{}}, fails, {Event: &subjects.Retried{}}, fails}
	if n := Failures(history, task); n != 2 {
		t.Errorf("Failures(task %v, beside a retry that was refused) = %d, want 2", task, n)
	}
}

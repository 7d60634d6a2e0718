package story

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// A retry counts if its job had failed or was cancelled, or if what was before is not known any more; a cancel
// counts if its job had not ended.
func TestWhatChangedNothingWasRefused(t *testing.T) {
	submitted, failed, cancelled, retried, finished := &subjects.Submitted{}, &subjects.JobFailed{}, &subjects.Cancelled{}, &subjects.Retried{}, &subjects.JobFinished{}
	for _, c := range []struct {
		before []subjects.Event
		counts bool
	}{
		{[]subjects.Event{submitted}, false},
		{[]subjects.Event{submitted, failed}, true},
		{[]subjects.Event{submitted, cancelled}, true},
		{[]subjects.Event{submitted, failed, retried}, false},
		{[]subjects.Event{submitted, failed, retried, cancelled}, true},
		{[]subjects.Event{submitted, finished}, false},
		{[]subjects.Event{submitted, finished, cancelled}, false},
		{nil, true},
	} {
		var x ends
		for _, e := range append(c.before, retried) {
			x.note(e)
		}
		if x.retried != c.counts {
			t.Errorf("retried after %T = %v, want %v", c.before, x.retried, c.counts)
		}
	}
	for _, c := range []struct {
		before []subjects.Event
		counts bool
	}{
		{[]subjects.Event{submitted}, true},
		{[]subjects.Event{submitted, cancelled}, false},
		{[]subjects.Event{submitted, failed}, false},
		{[]subjects.Event{submitted, finished}, false},
		{[]subjects.Event{submitted, cancelled, retried}, true},
		{[]subjects.Event{submitted, cancelled, retried, cancelled}, false},
		{nil, true},
	} {
		var x ends
		for _, e := range append(c.before, cancelled) {
			x.note(e)
		}
		if x.cancelled != c.counts {
			t.Errorf("cancelled after %T = %v, want %v", c.before, x.cancelled, c.counts)
		}
	}
	task := subjects.TaskID{Task: 1}
	fails := actors.Entry{Event: &subjects.Failed{Fact: subjects.Fact{TaskID: task}}}
	history := []actors.Entry{{Event: submitted}, fails, {Event: retried}, fails}
	if n := Failures(history, task); n != 2 {
		t.Errorf("beside a retry that was refused the task failed %d times, want 2", n)
	}
}

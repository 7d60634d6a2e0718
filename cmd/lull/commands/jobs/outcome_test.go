package jobs

import (
	"testing"

	"lull/actors"
	"lull/subjects"
)

// Another task may fail after the one that ended the job, before its attempts are stopped.
func TestTheFailureOfTheTaskThatEndedTheJobIsNamed(t *testing.T) {
	failed := func(seq uint64, task uint32) actors.Entry {
		return actors.Entry{Seq: seq, Event: &subjects.Failed{Fact: subjects.Fact{TaskID: subjects.TaskID{Task: task}, Attempt: seq}}}
	}
	history := []actors.Entry{failed(1, 0), failed(2, 0), failed(3, 1)}
	if got := fatal(nil, history); got == nil || got.Task != 1 {
		t.Errorf("fatal(no dead task) = %+v, want the last failure, of task 1", got)
	}
	if got := fatal(&subjects.TaskID{}, history); got == nil || got.Attempt != 2 {
		t.Errorf("fatal(task 0) = %+v, want the last failure of the task, of attempt 2", got)
	}
}

package jobs

import (
	"testing"

	"lull/client"
	"lull/cmd/lull/commands/adhoc"
	"lull/subjects"
)

// A host reports the end of a task that the job does not have. The ledger does not accept it,
// and the command that shows the job goes on.
func TestWhatTheLedgerDoesNotAcceptIsNotShown(t *testing.T) {
	o := &written{job: "job", results: &adhoc.Results{Line: adhoc.Line{Tasks: 1}}}
	for _, e := range []subjects.Event{
		&subjects.Failed{Host: "h", Job: "job", Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: 99, Task: 99}}},
		&subjects.Evicted{Host: "h", Job: "job", Reason: "made up"},
		&subjects.Started{Host: "h", Job: "job"},
	} {
		var entry client.Entry
		entry.Event = e
		o.see(entry)
	}
	if o.results.Ended != 0 {
		t.Errorf("%d tasks have ended", o.results.Ended)
	}
}

package jobs

import (
	"bytes"
	"strings"
	"testing"

	"lull/client"
	"lull/cmd/lull/commands/adhoc"
	"lull/subjects"
	"lull/subjects/ledger"
)

// A host reports the end of a task that the job does not have. The ledger does not accept it,
// and the command that shows the job goes on.
func TestWhatTheLedgerDoesNotAcceptIsNotShown(t *testing.T) {
	o := &outputReader{job: "job", results: &adhoc.Results{Line: adhoc.Line{Tasks: 1}}}
	for _, e := range []subjects.Event{
		&subjects.Failed{Host: "h", Job: "job", Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: 99, Task: 99}}},
		&subjects.Evicted{Host: "h", Job: "job", Reason: "made up"},
		&subjects.Started{Host: "h", Job: "job"},
	} {
		var entry client.Entry
		entry.Event = e
		o.takeEntry(entry)
	}
	if o.results.Ended != 0 {
		t.Errorf("tasks ended = %d, want 0", o.results.Ended)
	}
}

// The reason why a task was ended is printed in words, not as its code.
func TestAnEvictionIsShownInWords(t *testing.T) {
	var out bytes.Buffer
	o := &outputReader{job: "job", results: &adhoc.Results{Line: adhoc.Line{Tasks: 2}}, screen: &lines{Writer: &out}}
	entry := client.Entry{}
	entry.Event = &subjects.Evicted{Host: "h", Job: "job", Fact: subjects.Fact{TaskID: subjects.TaskID{Task: 1}}, Reason: subjects.ReasonReserve}
	entry.Change.Outcome = ledger.Accepted
	o.takeEntry(entry)
	if want := "task 2 was ended on host h and runs again: the primary needed the resources\n"; out.String() != want {
		t.Errorf("output = %q, want %q", out.String(), want)
	}
}

// A line that no list has is refused in words.
func TestALineThatIsTooLong(t *testing.T) {
	endless := strings.Repeat("x", 2<<20)
	if _, err := idsOf(strings.NewReader("a\n"+endless), "stdin"); err == nil || !strings.Contains(err.Error(), "line 2 is longer than 64 KB") {
		t.Errorf("idsOf(a line of 2 MB) = %v, want an error that line 2 is longer than 64 KB", err)
	}
}

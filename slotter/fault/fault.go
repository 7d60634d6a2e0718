package fault

import (
	"fmt"
	"strings"

	"lull/subjects"
)

// Fault is how an attempt failed.
type Fault struct {
	Task   subjects.TaskID `msgpack:"task"`
	Host   string          `msgpack:"host"`
	Reason string          `msgpack:"reason"`
	Exit   int32           `msgpack:"exit"`
	Text   string          `msgpack:"text"`
	Tail   string          `msgpack:"tail"`
	Final  bool            `msgpack:"final,omitempty"` // see subjects.Failed
	Again  bool            `msgpack:"again,omitempty"` // see subjects.Failed
}

// maxTail bounds what a failure adds to a job's text, in bytes.
const maxTail = 2 << 10

// OfFailed returns the fault of a failed attempt.
func OfFailed(e *subjects.Failed) Fault {
	return Fault{
		Task: e.TaskID, Host: e.Host, Reason: tail(e.Reason), Exit: e.Exit,
		Text: tail(e.Text), Tail: tail(e.Tail), Final: e.Final, Again: e.Again,
	}
}

// OfDeclined returns the fault of a host that could not publish a job's results, in a stage.
func OfDeclined(e *subjects.Declined, stage uint32) Fault {
	return Fault{Task: subjects.TaskID{Stage: stage}, Host: e.Host, Reason: subjects.ReasonOutput, Text: tail(e.Text)}
}

// OfMissing returns the fault of a task whose output vanished.
func OfMissing(e *subjects.OutputMissing) Fault {
	return Fault{Task: e.TaskID, Host: e.Host, Reason: subjects.ReasonMissing, Text: tail(e.Folder)}
}

// tail keeps the end of a text, as whole lines where there are several.
func tail(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxTail {
		return text
	}
	text = text[len(text)-maxTail:]
	if _, rest, ok := strings.Cut(text, "\n"); ok {
		text = rest
	}
	return strings.ToValidUTF8(text, "")
}

// describe says on which host and how the attempt ended, and what its process wrote last.
func (f *Fault) describe() string {
	failed := subjects.Failed{Reason: f.Reason, Exit: f.Exit, Text: f.Text}
	text := fmt.Sprintf("on host %s, %s", f.Host, failed.Words())
	if f.Tail != "" {
		text += "\n" + f.Tail
	}
	return text
}

// missing says what to look at when outputs vanish from a host that is up.
func (f *Fault) missing(stage string) string {
	return fmt.Sprintf("the output of task %s/%d vanished again and again before it was read, last on host %s from folder %s: "+
		"find out there what removes it (rm, a clean-up job, another disk), then retry the job", stage, f.Task.Task, f.Host, f.Text)
}

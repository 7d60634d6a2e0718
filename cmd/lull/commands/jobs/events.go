package jobs

import (
	"io"

	"lull/actors"
	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
)

// events prints what happens to a job, one JSON object a line. It leaves out entries that the ledger did
// not accept.
func events(p subjects.Pool, job string, out io.Writer) func(client.Entry) {
	return func(e client.Entry) {
		if e.Of(p, job) && e.Change.Outcome != ledger.Void {
			printEvent(out, e.Entry)
		}
	}
}

func printEvent(out io.Writer, e actors.Entry) {
	line, err := subjects.JSON(e.Event, e.Seq, e.Time)
	if err == nil {
		_, _ = out.Write(append(line, '\n')) // a reader that is gone has seen enough
	}
}

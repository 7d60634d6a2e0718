package adhoc

import (
	"fmt"
	"io"
	"time"
)

// JobLog is a table of what ran, in the columns of GNU parallel's --joblog.
type JobLog struct{ w io.Writer }

// NewJobLog writes the table's head.
func NewJobLog(w io.Writer) (*JobLog, error) {
	_, err := fmt.Fprintln(w, "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand")
	return &JobLog{w}, err
}

// Add writes a line. A command that ended by a signal has that in place of an exit status.
func (j *JobLog) Add(r Result, command string) error {
	exit, signal := r.Exit, 0
	if exit > signalled {
		exit, signal = 0, exit-signalled
	}
	started := float64(r.Start.UnixNano()) / float64(time.Second)
	_, err := fmt.Fprintf(j.w, "%d\t%s\t%.3f\t%10.3f\t0\t%d\t%d\t%d\t%s\n", r.Task+1, r.Host, started, r.Seconds, len(r.Stdout), exit, signal, command)
	return err
}

// signalled is what a shell adds to the number of the signal that ended a command.
const signalled = 128

package adhoc

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// JobLog is a table of what ran, in the columns of GNU parallel's --joblog.
type JobLog struct{ file *os.File }

// NewJobLog makes the file anew and writes the table's head.
func NewJobLog(path string) (*JobLog, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(file, "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &JobLog{file}, nil
}

// Add writes a line. A command that ended by a signal has that in place of an exit status. Line
// ends in a command become NUL, as GNU parallel has it, so that a value cannot make lines.
func (j *JobLog) Add(r Result, command string) error {
	exit, signal := r.Exit, 0
	if exit > signalled && exit <= signalled+lastSignal {
		exit, signal = 0, exit-signalled
	}
	command = strings.ReplaceAll(command, "\n", "\x00")
	started := float64(r.Start.UnixNano()) / float64(time.Second)
	_, err := fmt.Fprintf(j.file, "%d\t%s\t%.3f\t%10.3f\t0\t%d\t%d\t%d\t%s\n", r.Task+1, r.Host, started, r.Seconds, r.received, exit, signal, command)
	return err
}

const (
	// signalled is what a shell adds to the number of the signal that ended a command.
	signalled = 128
	// lastSignal is the highest number of a signal: ssh and xargs exit with 255, and that is none.
	lastSignal = 64
)

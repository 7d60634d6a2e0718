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

const jobLogHead = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"

// NewJobLog makes the file anew and writes the table's head. With more, it adds to the file that is there.
func NewJobLog(path string, more bool) (*JobLog, error) {
	how := os.O_TRUNC
	if more {
		how = os.O_APPEND
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o666)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && (!more || info.Size() == 0) {
		_, err = fmt.Fprintln(file, jobLogHead)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &JobLog{file}, nil
}

// logged is a command in one line. Line ends become NUL, as GNU parallel has it, so that a value cannot make
// lines.
func logged(command string) string { return strings.ReplaceAll(command, "\n", "\x00") }

// Add writes a line. A command that ended by a signal has that in place of an exit status.
func (j *JobLog) Add(r Result, number int, command string) error {
	exit, signal := r.Exit, 0
	if exit > signalled && exit <= signalled+lastSignal {
		exit, signal = 0, exit-signalled
	}
	started := float64(r.Start.UnixNano()) / float64(time.Second)
	_, err := fmt.Fprintf(j.file, "%d\t%s\t%.3f\t%10.3f\t0\t%d\t%d\t%d\t%s\n", number+1, r.Host, started, r.Seconds, r.received, exit, signal, logged(command))
	return err
}

const (
	// signalled is what a shell adds to the number of the signal that ended a command.
	signalled = 128
	// lastSignal is the highest number of a signal: ssh and xargs exit with 255, and that is none.
	lastSignal = 64
)

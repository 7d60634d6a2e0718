package adhoc

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// JobLog is a table of what ran, in the columns of GNU parallel's --joblog.
type JobLog struct{ file *os.File }

const jobLogHead = "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand"

// NewJobLog makes the file anew and writes the table's head. With more, it adds to the file that is there.
func NewJobLog(path string, more bool) (*JobLog, error) {
	open, whole := os.Create, int64(0)
	if more {
		open = func(path string) (*os.File, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666) }
	}
	file, err := open(path)
	if err != nil {
		return nil, err
	}
	if more {
		whole, err = cutPart(file)
	}
	if err == nil && whole == 0 {
		_, err = fmt.Fprintln(file, jobLogHead)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &JobLog{file}, nil
}

// cutPart cuts a last line without its end, which a run that was killed has left, and returns the size of the others. What
// is written comes behind them.
func cutPart(file *os.File) (whole int64, err error) {
	in := bufio.NewReader(file)
	for err == nil {
		var line string
		if line, err = in.ReadString('\n'); err == nil {
			whole += int64(len(line))
		}
	}
	if !errors.Is(err, io.EOF) {
		return whole, err
	}
	if err = file.Truncate(whole); err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	return whole, err
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

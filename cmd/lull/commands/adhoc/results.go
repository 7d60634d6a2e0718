package adhoc

import (
	"bytes"
	"io"
	"strconv"
	"time"
)

// Result is what became of one task's command.
type Result struct {
	Task           int
	Host           string
	Start          time.Time
	Seconds        float64
	Exit           int // exit status, 128 and more for a signal
	Stdout, Stderr []byte
}

// Told takes the status out of what a command wrote to its standard error. See Line.script.
func (r *Result) Told() {
	body, ok := bytes.CutSuffix(r.Stderr, []byte("\n"))
	at := bytes.LastIndexByte(body, '\n')
	if !ok || at < 0 {
		return
	}
	status, ok := bytes.CutPrefix(body[at+1:], []byte(marker))
	if exit, err := strconv.Atoi(string(status)); ok && err == nil {
		r.Exit, r.Stderr = exit, body[:at]
	}
}

// Results shows what the tasks wrote, each whole, as they end or in their order.
type Results struct {
	Out, Err io.Writer
	Log      *JobLog // nil for none
	Line     Line
	Ordered  bool
	Halt     Halt

	Ended, Failed int
	held          map[int]Result // in order: what has ended before its turn
	turn          int
	err           error
}

// Add takes in a task's end. It reports whether the others are to be ended.
func (r *Results) Add(one Result) (halt bool) {
	r.Ended++
	if one.Exit != 0 {
		r.Failed++
	}
	if r.Log != nil {
		r.note(r.Log.Add(one, r.Line.Command(one.Task)))
	}
	if !r.Ordered {
		r.show(one)
	} else {
		r.hold(one)
	}
	return r.Halt.Reached(r.Failed, r.tasks())
}

func (r *Results) tasks() int {
	if r.Line.Each != nil {
		return len(r.Line.Each)
	}
	return int(r.Line.Tasks)
}

// hold shows what has its turn.
func (r *Results) hold(one Result) {
	if r.held == nil {
		r.held = map[int]Result{}
	}
	r.held[one.Task] = one
	for {
		next, ok := r.held[r.turn]
		if !ok {
			return
		}
		delete(r.held, r.turn)
		r.turn++
		r.show(next)
	}
}

// Flush shows what still waits for its turn, because earlier tasks have not ended.
func (r *Results) Flush() error {
	for ; len(r.held) > 0; r.turn++ {
		if one, ok := r.held[r.turn]; ok {
			delete(r.held, r.turn)
			r.show(one)
		}
	}
	return r.err
}

func (r *Results) show(one Result) {
	_, err := r.Out.Write(one.Stdout)
	r.note(err)
	_, err = r.Err.Write(one.Stderr)
	r.note(err)
}

// note keeps the first error.
func (r *Results) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

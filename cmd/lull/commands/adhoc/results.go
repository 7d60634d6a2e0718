package adhoc

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"lull/cmd/lull/shellword"
)

// Result is the outcome of one task's command.
type Result struct {
	Task           int
	Host           string
	Start          time.Time
	Seconds        float64
	Exit           int         // exit status, 128 and more for a signal
	Stdout, Stderr io.WriterTo // what it wrote, to be read once; nil for nothing

	received int64 // bytes of Stdout
}

// Results shows what the tasks wrote, each whole, as they end or in their order.
type Results struct {
	Out, Err io.Writer
	Log      *JobLog // nil for none
	Order    *Order  // nil for none: as they end
	Folder   *Folder // nil for none
	Tag      bool    // each line begins with the task's value
	Line     Line
	Halt     Halt

	Ended, Failed int
	failures      []int // numbers of the commands that failed
	err           error
}

// Add takes the result of a task. It reports whether the others are to be ended.
func (r *Results) Add(one Result) (halt bool) {
	r.Ended++
	if one.Exit != 0 {
		r.Failed++
		r.failures = append(r.failures, r.Line.Number(one.Task))
	}
	number := r.Line.Number(one.Task)
	if r.Folder != nil {
		r.Folder.keep(&one, number, r.note)
	}
	if r.Order == nil {
		r.show(&one)
	} else if err := r.Order.add(&one, r); err != nil {
		r.note(fmt.Errorf("--keep-order: %w", err))
	}
	if r.Log != nil {
		if err := r.Log.Add(one, number, r.Line.Command(number)); err != nil {
			r.note(fmt.Errorf("--joblog: %w", err))
		}
	}
	return r.Halt.Reached(r.Failed, r.Line.Total())
}

// AsItRuns reports whether the output of a single task can be shown while it runs, rather than when it has ended.
func (r *Results) AsItRuns() bool { return r.Line.Single() && !r.Tag && r.Folder == nil }

// mostLabels is how many commands that failed are named.
const mostLabels = 10

// Failures names the commands that failed, in the order of their numbers: each by its value, or by its number.
func (r *Results) Failures() string {
	var labels []string
	for _, number := range slices.Sorted(slices.Values(r.failures)) {
		labels = append(labels, shellword.Of(r.Line.Label(number)))
	}
	if more := len(labels) - mostLabels; more > 0 {
		labels = append(labels[:mostLabels], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(labels, ", ")
}

// Stopped says how far the commands came that did not all end.
func (r *Results) Stopped() string {
	return fmt.Sprintf("%d done, %d failed, %d not done", r.Ended-r.Failed, r.Failed, r.Line.Total()-r.Ended)
}

// Close shows what still waits for its turn. It returns the first error of all calls.
func (r *Results) Close() error {
	if r.Order != nil {
		r.note(r.Order.close(r))
	}
	if r.Log != nil {
		r.note(r.Log.file.Close())
	}
	return r.err
}

func (r *Results) show(one *Result) {
	out, aside := r.outputs(one.Task)
	n, err := write(out, one.Stdout)
	one.received = n
	r.note(err)
	_, err = write(aside, one.Stderr)
	r.note(err)
}

// write copies a text, which may be nil.
func write(out io.Writer, text io.WriterTo) (int64, error) {
	if text == nil {
		return 0, nil
	}
	return text.WriteTo(out)
}

// note keeps the first error.
func (r *Results) note(err error) {
	if r.err == nil {
		r.err = err
	}
}

package progress

import (
	"fmt"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Failure is the last failure of a task that has no retries left.
type Failure struct {
	Stage string
	Times int    // that the task failed
	Label string // of the task, "" for none
	*subjects.Failed
}

// Summary says how a job ended and what its user can do next. failure is why a failed job failed, nil if
// that is unknown.
func Summary(v View, failure *Failure) string {
	switch v.Phase {
	case ledger.Finished:
		return v.finished()
	case ledger.Failed:
		return v.failed(failure)
	case ledger.Rejected:
		return v.rejected()
	case ledger.Cancelled:
		return fmt.Sprintf("%s was cancelled%s after %s%s.\nRun it again: lull retry %s", v.Job, v.by(), v.took(), because(v.Text), v.Job)
	}
	return Line(v)
}

func (v View) finished() string {
	t := v.Totals
	text := fmt.Sprintf("%s finished in %s: %s, %s, %d evicted, %s of CPU harvested.",
		v.Job, v.took(), humane.Count(int(t.Tasks), "task"), humane.Count(int(t.Attempts), "attempt"), t.Evicted, humane.Seconds(t.CPU))
	if whole := v.Whole(); whole.Dead > 0 {
		text += fmt.Sprintf("\n%s failed for good%s, as max_failures or allow_failure permits: lull why %s", humane.Count(whole.Dead, "task"), notRunToEnd(whole), v.Job)
	}
	if n := v.Whole().Cancelled; n > 0 {
		text += fmt.Sprintf("\n%s cancelled, and it finished without: lull retry %s runs them, and what reads them", humane.Count(n, "task")+was(n), v.Job)
	}
	text += v.kept()
	for line := range strings.Lines(v.Text) {
		text += "\nIt " + strings.TrimSpace(line) + "."
	}
	switch {
	case v.Output != "" && v.Empty:
		text += fmt.Sprintf("\nNo results: no task of the last stages wrote a file to $LULL_OUT, so %s is empty.", v.Output)
	case v.Output != "":
		text += "\nResults: " + v.Output
	case v.Kept:
		text += fmt.Sprintf("\nResults are on the hosts: lull outputs %s --to FOLDER fetches them.", v.Job)
	}
	return text
}

func was(n int) string {
	if n == 1 {
		return " was"
	}
	return " were"
}

// notRunToEnd says how many tasks did not run to an end because their stage ended at its first failures
// (fail_fast); "" for none.
func notRunToEnd(whole Stage) string {
	if left := whole.Tasks - whole.Done - whole.Dead - whole.Cancelled; left > 0 {
		return fmt.Sprintf(" and %d did not run to an end", left)
	}
	return ""
}

func (v View) failed(f *Failure) string {
	if f == nil {
		return fmt.Sprintf("%s failed after %s%s.%s\nMore: lull why %s\nTry again: lull retry %s", v.Job, v.took(), because(v.Text), v.kept(), v.Job, v.Job)
	}
	var b strings.Builder
	task := f.Name()
	fmt.Fprintf(&b, "%s failed after %s: task %s failed%s; %s.\n", v.Job, v.took(), Labelled(task, f.Label), f.times(), f.left())
	fmt.Fprintf(&b, "Last attempt, on host %s: %s.\n", f.Host, f.Words())
	if f.Tail != "" {
		b.WriteString(indent(f.Tail))
	}
	b.WriteString(strings.TrimPrefix(v.kept()+"\n", "\n"))
	if f.Stage != spec.PublishName { // lull itself publishes, and writes no log
		fmt.Fprintf(&b, "More: lull logs %s --stage %s --task %d --stderr\n      lull why %s --task %s\n", v.Job, f.Stage, f.Task, v.Job, task)
	}
	if f.Reason == subjects.ReasonInput { // a retry reads the files that were pinned, so it fails in the same way
		fmt.Fprintf(&b, "Tasks read inputs as they were when the job was submitted. To read them as they are now, try again: lull retry %s --refresh", v.Job)
	} else {
		b.WriteString("Try again: lull retry " + v.Job)
	}
	return b.String()
}

// Labelled is a task's name with its label in brackets, if it has one: parse/137 (/in/f137.json).
func Labelled(task, label string) string {
	if label == "" {
		return task
	}
	return fmt.Sprintf("%s (%s)", task, label)
}

// Name is the task's name, as STAGE/NUMBER.
func (f *Failure) Name() string { return fmt.Sprintf("%s/%d", f.Stage, f.Task) }

// left says why the task is not tried again.
func (f *Failure) left() string {
	if f.Final {
		return "another attempt would fail, too"
	}
	return "no retries left"
}

// times says how often the task failed, "" if only once.
func (f *Failure) times() string {
	if f.Times < 2 {
		return ""
	}
	return fmt.Sprintf(" %d times", f.Times)
}

func (v View) rejected() string {
	return fmt.Sprintf("%s was rejected: %s", v.Job, Refused(v.Text, v.Earliest, v.Now))
}

// Refused describes why a job was rejected, and with which deadline it would be accepted. text is the
// verdict's text; earliest is the earliest safe deadline, zero if there is none.
func Refused(text string, earliest, now time.Time) string {
	if !strings.Contains(text, "\n") {
		text = strings.TrimSuffix(text, ".") + "."
	}
	if !earliest.IsZero() {
		text += fmt.Sprintf("\nSubmit it again with deadline: %s (%s), or a later one.",
			earliest.Local().Format(time.RFC3339), humane.When(earliest, now))
	}
	return text
}

func (v View) took() string { return humane.Span(v.Ended.Sub(v.Since)) }

// by names the user that cancelled the job, "" if unknown.
func (v View) by() string {
	if v.By == "" {
		return ""
	}
	return " by " + v.By
}

// because returns a colon and the first line of a reason, "" for an empty reason.
func because(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if text == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(text, ".")
}

func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return "  | " + strings.Join(lines, "\n  | ") + "\n"
}

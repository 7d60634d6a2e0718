package progress

import (
	"fmt"
	"strings"
	"time"

	"lull/cmd/lull/commands/humane"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Failure is the last failure of a task that gave up.
type Failure struct {
	Stage string
	*subjects.Failed
}

// Summary says how an ended job ended and what to do next. failure is why a
// failed job failed, nil if that is not known.
func Summary(v View, failure *Failure) string {
	switch v.Phase {
	case ledger.Finished:
		return v.finished()
	case ledger.Failed:
		return v.failed(failure)
	case ledger.Rejected:
		return v.rejected()
	case ledger.Cancelled:
		return fmt.Sprintf("%s was cancelled after %s%s.\nOpen it again: lull retry %s", v.Job, v.took(), because(v.Text), v.Job)
	}
	return Line(v)
}

func (v View) finished() string {
	t := v.Totals
	text := fmt.Sprintf("%s finished in %s: %s, %s, %d evicted, %s of CPU harvested.",
		v.Job, v.took(), humane.Count(int(t.Tasks), "task"), humane.Count(int(t.Attempts), "attempt"), t.Evicted, humane.Seconds(t.CPU))
	if v.Output != "" {
		return text + "\nResults: " + v.Output
	}
	return fmt.Sprintf("%s\nResults stay on the hosts: lull outputs %s --to FOLDER fetches them.", text, v.Job)
}

func (v View) failed(f *Failure) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s failed after %s%s.\n", v.Job, v.took(), because(v.Text))
	more := v.Job
	if f != nil {
		fmt.Fprintf(&b, "Task %s/%d on %s: %s.\n", f.Stage, f.Task, f.Host, Reason(f.Failed))
		if f.Tail != "" {
			b.WriteString(indent(f.Tail))
		}
		more = fmt.Sprintf("%s --stage %s --task %d", v.Job, f.Stage, f.Task)
	}
	fmt.Fprintf(&b, "More: lull logs %s --stderr, lull why %s\nTry again: lull retry %s", more, v.Job, v.Job)
	return b.String()
}

func (v View) rejected() string {
	text := fmt.Sprintf("%s was rejected%s.", v.Job, because(v.Text))
	if !v.Earliest.IsZero() {
		text += fmt.Sprintf("\nThe earliest safe deadline is %s (%s): submit it again with that, or a later one.",
			v.Earliest.Local().Format(time.RFC3339), humane.When(v.Earliest, v.Now))
	}
	return text
}

func (v View) took() string { return humane.Span(v.Ended.Sub(v.Since)) }

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + strings.TrimSuffix(text, ".")
}

// Reason says in words why an attempt failed.
func Reason(f *subjects.Failed) string {
	text := map[string]string{
		subjects.ReasonExit:     fmt.Sprintf("its command ended with exit status %d", f.Exit),
		subjects.ReasonSignal:   fmt.Sprintf("its command was killed by signal %d", -f.Exit),
		subjects.ReasonTimeout:  fmt.Sprintf("it ran longer than its stage allows (%s)", humane.Seconds(f.Seconds)),
		subjects.ReasonMemory:   "it went over its memory limit: give the stage more memory:",
		subjects.ReasonNotFound: "its command does not exist on the host",
		subjects.ReasonInput:    "its input is missing or has changed since the job was submitted",
		subjects.ReasonOutput:   "its output could not be kept",
		subjects.ReasonVanished: "its process went away with its machine",
	}[f.Reason]
	switch {
	case text == "":
		text = f.Reason
	}
	return text + detail(f.Text)
}

func detail(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

func indent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	return "  | " + strings.Join(lines, "\n  | ") + "\n"
}

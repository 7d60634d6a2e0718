// Package forecast prints the verdict that a job would get, for people.
package forecast

import (
	"fmt"
	"io"
	"strings"
	"time"

	"lull/client/humane"
	"lull/cmd/lull/commands/listing"
	"lull/subjects"
)

// Print writes a forecast: the verdict, the times, what they rest on, and whom
// the job would push.
func Print(w io.Writer, f *subjects.Forecast, now time.Time) error {
	p := page{w: w, now: now}
	p.verdict(f)
	p.times(f)
	p.stages(f)
	p.pushed(f)
	p.sayf("Nothing was submitted.\n")
	return p.err
}

// page keeps the first error of writing.
type page struct {
	w   io.Writer
	now time.Time
	err error
}

func (p *page) sayf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// row is a line of label and text; none without a text.
func (p *page) row(label, text string) {
	if text != "" {
		p.sayf("  %-15s %s\n", label, text)
	}
}

func (p *page) verdict(f *subjects.Forecast) {
	word := "Would be admitted"
	if f.Verdict != "admitted" {
		word = "Would be rejected (" + f.Code + ")"
	}
	p.sayf("%s: %s.\n\n", word, strings.TrimSuffix(f.Text, "."))
}

func (p *page) times(f *subjects.Forecast) {
	p.row("Predicted end", p.when(f.Finish)+p.between(f))
	p.row("Deadline", p.when(f.Deadline)+spare(f))
	p.row("Earliest safe", p.when(f.Earliest))
	if f.Ahead > 0 {
		p.row("Ahead of it", fmt.Sprintf("%s, done in %s", humane.Count(f.Ahead, "job"), humane.Seconds(f.AheadSeconds)))
	}
	p.row("Margin", margin(f.Margin))
	p.row("Checked", modes[f.Mode])
	p.sayf("\n")
}

// modes say in words which deadlines a verdict checks.
var modes = map[string]string{
	"affected": "its own deadline and those of all jobs it would push (mode affected)",
	"eq7":      "its own deadline alone (mode eq7)",
	"all":      "nothing: this pool admits whatever a host can run, and promises nothing (mode all)",
}

func margin(share float64) string {
	if share == 0 {
		return "none: earlier predictions held"
	}
	return fmt.Sprintf("%.0f %% on every prediction, because earlier ones proved optimistic", 100*share)
}

// when is a time of a forecast, seen from now.
func (p *page) when(stamp string) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s (%s)", t.Local().Format("2 Jan 15:04:05"), humane.When(t, p.now))
}

func (p *page) between(f *subjects.Forecast) string {
	soonest, err := time.Parse(time.RFC3339, f.Soonest)
	latest, err2 := time.Parse(time.RFC3339, f.Latest)
	if err != nil || err2 != nil {
		return ""
	}
	return fmt.Sprintf(", nine times in ten from %s to %s", soonest.Local().Format("15:04:05"), latest.Local().Format("15:04:05"))
}

func spare(f *subjects.Forecast) string {
	switch {
	case f.Deadline == "" || f.Finish == "":
		return ""
	case f.Slack < 0:
		return fmt.Sprintf(", missed by %s", humane.Seconds(-f.Slack))
	}
	return fmt.Sprintf(", %s to spare", humane.Seconds(f.Slack))
}

func (p *page) stages(f *subjects.Forecast) {
	if len(f.Stages) == 0 {
		return
	}
	p.list(listing.Print(p.w, listing.Table, f.Stages,
		[]string{"STAGE", "TASKS", "AT ONCE", "ON AN IDLE CORE", "KNOWN FROM"}, stage, ""))
}

func stage(s subjects.Assumption) []string {
	return []string{s.Stage, fmt.Sprint(s.Tasks), fmt.Sprint(min(s.Slots, int(s.Tasks))), humane.Seconds(s.Seconds), source(s)}
}

func source(s subjects.Assumption) string {
	switch s.Source {
	case subjects.SourceModel:
		text := fmt.Sprintf("%s of %s, error %.0f %%", humane.Count(int(s.Samples), "run"), s.Model, 100*s.NRMSE)
		if s.Drift {
			text += ", but the latest follow no model: assumes the slow ones"
		}
		return text
	case subjects.SourceEstimate:
		return "the job's estimate: " + s.Model + " has no model yet"
	}
	return fmt.Sprintf("nothing: %s has no model yet, assumes %s a task (estimate: in the file says better)", s.Model, humane.Seconds(s.Seconds))
}

func (p *page) pushed(f *subjects.Forecast) {
	if f.PushedJobs == 0 {
		return
	}
	p.sayf("It would make %s later", humane.Count(f.PushedJobs, "job"))
	if f.PushedJobs > len(f.Pushed) {
		p.sayf(", the most urgent of them")
	}
	p.sayf(":\n")
	p.list(listing.Print(p.w, listing.Table, f.Pushed, []string{"JOB", "LATER BY", "THEN"}, push, ""))
}

func push(x subjects.Push) []string {
	then := humane.Seconds(x.Slack) + " to spare"
	if x.Slack < 0 {
		then = "misses its deadline by " + humane.Seconds(-x.Slack)
	}
	return []string{x.Job, humane.Seconds(x.By), then}
}

// list ends a table with an empty line.
func (p *page) list(err error) {
	if p.err == nil {
		p.err = err
	}
	p.sayf("\n")
}

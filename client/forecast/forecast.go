// Package forecast describes in words what verdict a job would get. It is pure: the same forecast and time
// give the same words.
package forecast

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/subjects"
	"lull/subjects/humane"
)

// Page is a forecast for people: the verdict, the times, what they are based on, and which jobs the job
// would delay.
type Page struct {
	Verdict string // a sentence
	Times   []Line
	Stages  []Stage
	Pushed  string // heading of Pushes, "" if there are none
	Pushes  []Push
}

// Line is a label with its text.
type Line struct{ Label, Text string }

// Stage is what the forecast assumes about a stage.
type Stage struct {
	Name          string
	Tasks, AtOnce int
	OnIdleCore    string // how long a task takes on an idle core
	KnownFrom     string // what that time is based on, in words
}

// Push is a job that would end later: by how much, and how far from its deadline.
type Push struct{ Job, Later, Then string }

// Of makes the page of a forecast, seen from now.
func Of(f *subjects.Forecast, now time.Time) Page {
	if at, err := time.Parse(time.RFC3339, f.At); err == nil {
		now = at // the verdict's sentence counts from the time of the forecast, too
	}
	p := Page{Verdict: verdict(f), Times: append(times(f, now), fetches(f)...)}
	for _, s := range f.Stages {
		p.Stages = append(p.Stages, Stage{s.Stage, int(s.Tasks), min(s.Slots, int(s.Tasks)), humane.Seconds(s.Seconds), basis(s)})
	}
	if f.PushedJobs == 0 {
		return p
	}
	p.Pushed = fmt.Sprintf("It would delay %s", humane.Count(f.PushedJobs, "job"))
	if f.PushedJobs > len(f.Pushed) {
		p.Pushed += ", of which these are the most urgent"
	}
	for _, x := range f.Pushed {
		p.Pushes = append(p.Pushes, pushOf(x))
	}
	return p
}

func verdict(f *subjects.Forecast) string {
	word := "Would be rejected (" + f.Code + ")"
	switch f.Verdict {
	case subjects.VerdictAdmitted:
		word = "Would be admitted"
	case subjects.VerdictTrying:
		word = "Would be tried first"
	}
	if strings.Contains(f.Text, "\n") {
		return word + ": " + f.Text
	}
	return word + ": " + strings.TrimSuffix(f.Text, ".") + "."
}

// times returns the lines about times and their basis, without those that would be empty.
func times(f *subjects.Forecast, now time.Time) (lines []Line) {
	ahead := ""
	if f.Ahead > 0 {
		ahead = humane.Count(f.Ahead, "job")
		if f.AheadSeconds > 0 {
			ahead += ", done in " + humane.Seconds(f.AheadSeconds)
		}
	}
	end := "Predicted end"
	if guessed(f) {
		end = "Guessed end"
	}
	for _, line := range []Line{
		{end, finish(f, now)},
		{"Verdict by", when(f.Until, now)},
		{"Deadline", when(f.Deadline, now) + spare(f)},
		{"Earliest safe", when(f.Earliest, now)},
		{"Ahead of it", ahead},
		{"Idle now", idle(f)},
		{"Margin", margin(f.Margin)},
		{"Checked", modes[f.Mode]},
	} {
		if line.Text != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// guessed reports whether the predicted end is based on a stage about which nothing is known.
func guessed(f *subjects.Forecast) bool {
	return f.Verdict == subjects.VerdictTrying ||
		slices.ContainsFunc(f.Stages, func(s subjects.Assumption) bool { return s.Basis == subjects.BasisDefault })
}

// fetches returns a line for each stage that copies data from other hosts.
func fetches(f *subjects.Forecast) (lines []Line) {
	for i := range f.Stages {
		if s := &f.Stages[i]; s.FetchBytes > 0 {
			lines = append(lines, Line{"Fetching", fmt.Sprintf("stage %s fetches %s from %s: about %s", s.Stage, humane.Bytes(s.FetchBytes), s.FetchFrom, humane.Seconds(s.FetchSeconds))})
		}
	}
	return lines
}

// modes describes, by the mode of a verdict, which deadlines the verdict checks.
var modes = map[string]string{
	subjects.ModeAffected: "its own deadline and those of all jobs that it would delay",
	subjects.ModeEq7:      "its own deadline only",
	"all":                 "no deadline: this pool admits every job that a host can run",
}

func margin(share float64) string {
	if share == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f %% on every prediction, because earlier ones were too short", 100*share)
}

// finish returns the predicted end with its interval. It takes the time until then from the forecast, so
// that it states the same one as the verdict's sentence.
func finish(f *subjects.Forecast, now time.Time) string {
	t, err := time.Parse(time.RFC3339, f.Finish)
	switch {
	case err != nil:
		return ""
	case f.FinishSeconds > 0:
		return fmt.Sprintf("%s (in %s)", humane.Stamp(t.Local()), humane.Seconds(f.FinishSeconds)) + between(f, now)
	}
	return when(f.Finish, now) + between(f, now)
}

// idle describes how many cores are idle now, and what the prediction for later is based on.
func idle(f *subjects.Forecast) string {
	if f.Cores == 0 {
		return ""
	}
	text := fmt.Sprintf("%.1f of %s", f.Idle, humane.Count(f.Cores, "core"))
	if f.Observed > 0 {
		text += fmt.Sprintf("; hosts have been observed for %s, so what they leave later is a guess", humane.Seconds(f.Observed))
	}
	if f.Days > 0 {
		text += "; beyond an hour as past days of " + humane.Count(f.Days, "tenant") + " say"
	}
	return text
}

// when returns a time of a forecast and its distance from now, "" if the forecast has no such time.
func when(stamp string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%s (%s)", humane.Stamp(t.Local()), humane.When(t, now))
}

// between returns the interval of the predicted end, "" if there is none or both of its ends print alike.
func between(f *subjects.Forecast, now time.Time) string {
	soonest, err := time.Parse(time.RFC3339, f.Soonest)
	latest, err2 := time.Parse(time.RFC3339, f.Latest)
	if err != nil || err2 != nil {
		return ""
	}
	from, to := humane.Clock(soonest, now.Local()), humane.Clock(latest, now.Local())
	if from == to {
		return ""
	}
	return fmt.Sprintf(", 90 %% interval %s to %s", from, to)
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

func basis(s subjects.Assumption) string {
	switch s.Basis {
	case subjects.BasisModel:
		runs := humane.Count(int(s.Samples), "run") + " of " + s.Model
		switch {
		case s.Samples < subjects.FewSamples:
			return runs + ", too few to know the error"
		case s.Drift:
			return fmt.Sprintf("%s, error %.0f %%; they vary too much to predict, so it counts a time that nine in ten of them kept", runs, 100*s.NRMSE)
		}
		return fmt.Sprintf("%s, error %.0f %%", runs, 100*s.NRMSE)
	case subjects.BasisCopy:
		return "lull copies the results; no model of " + s.Model + " yet"
	case subjects.BasisEstimate:
		return "estimate: of the job; no model of " + s.Model + " yet"
	}
	return fmt.Sprintf("a guess of %s a task; no model of %s yet (set estimate: in the file)", humane.Seconds(s.Seconds), s.Model)
}

func pushOf(x subjects.Push) Push {
	then := humane.Seconds(x.Slack) + " to spare"
	if x.Slack < 0 {
		then = "misses its deadline by " + humane.Seconds(-x.Slack)
	}
	return Push{x.Job, humane.Seconds(x.By), then}
}

package draw

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lull/client/progress"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

var (
	bold   = lipgloss.NewStyle().Bold(true)
	faint  = lipgloss.NewStyle().Faint(true)
	green  = lipgloss.NewStyle().Foreground(lipgloss.Green)
	cyan   = lipgloss.NewStyle().Foreground(lipgloss.Cyan)
	yellow = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	red    = lipgloss.NewStyle().Foreground(lipgloss.Red)
)

// Render returns the lines that a terminal of this width shows, in colour, no
// line wider than it.
func Render(v progress.View, width int) string {
	lines := []string{head(v)}
	name := 0
	for _, st := range v.Stages {
		name = max(name, lipgloss.Width(st.Name))
	}
	name = min(max(name, len("finish")), max(6, width/4))
	for _, st := range v.Stages {
		lines = append(lines, row(st.Name, name, ofStage(st, barWidth(width, name)), counts(st)))
	}
	if v.CPU.Hosts > 0 {
		lines = append(lines, row("CPU", name, ofCores(v.CPU, barWidth(width, name)), fitting(width-name-1, texts(v.CPU)...)))
	}
	if texts := finish(v); texts != nil {
		lines = append(lines, row("finish", name, "", fitting(width-name-1, texts...)))
	}
	if v.Note != "" {
		lines = append(lines, ansi.Wrap(yellow.Render(v.Note), width, ""))
	}
	return Narrow(strings.Join(lines, "\n"), width)
}

func head(v progress.View) string {
	state, since := v.Phase.String(), v.Now.Sub(v.Since)
	if v.Phase == ledger.Admitted {
		state = "running"
	}
	if !v.Ended.IsZero() {
		since = v.Ended.Sub(v.Since)
	}
	return bold.Render(v.Job) + "  " + state + faint.Render(", "+humane.Span(since))
}

func row(name string, width int, bar, text string) string {
	name = ansi.Truncate(name, width, "…")
	name += strings.Repeat(" ", width-lipgloss.Width(name))
	if bar != "" {
		bar += " "
	}
	return name + " " + bar + text
}

// fitting returns the first text that is no wider than room, else the last.
func fitting(room int, texts ...string) string {
	for _, text := range texts {
		if lipgloss.Width(text) <= room {
			return text
		}
	}
	return texts[len(texts)-1]
}

// barWidth leaves the counts 44 columns. If that leaves less than eight, numbers say more than a
// bar.
func barWidth(width, name int) int {
	room := width - name - 44
	if room < 8 {
		return 0
	}
	return min(room, 36)
}

// counts says how many tasks are in which state, then how many attempts came to nothing, and what
// the stage waits for.
func counts(st progress.Stage) string {
	parts := []string{fmt.Sprintf("%d/%d done", st.Done, st.Tasks)}
	if st.Dead > 0 {
		parts[0] += ", " + red.Render(fmt.Sprintf("%d failed", st.Dead))
	}
	if st.Cancelled > 0 {
		parts[0] += ", " + yellow.Render(fmt.Sprintf("%d cancelled", st.Cancelled))
	}
	add := func(n int, text string, style lipgloss.Style) {
		if n > 0 {
			parts = append(parts, style.Render(text))
		}
	}
	add(st.Held, fmt.Sprintf("%d running", st.Held), cyan)
	add(st.Failed, humane.Count(st.Failed, "attempt")+" failed", red)
	add(st.Evicted, fmt.Sprintf("%d evicted", st.Evicted), yellow)
	switch {
	case st.State == ledger.StageSkipped:
		parts = append(parts, faint.Render("skipped"))
	case len(st.WaitsFor) > 0 && st.Held == 0:
		parts = append(parts, faint.Render("after "+strings.Join(st.WaitsFor, ", ")))
	}
	return strings.Join(parts, "  ")
}

// texts describes the use of the CPU: at length first, then shorter, for narrow terminals.
func texts(c subjects.CPUSum) []string {
	harvested := green.Render(fmt.Sprintf("%.1f", c.Harvested))
	return []string{
		fmt.Sprintf("primary %.1f + harvested %s of %d cores", c.Primary, harvested, c.Cores),
		fmt.Sprintf("primary %.1f + lull %s of %d", c.Primary, harvested, c.Cores),
		fmt.Sprintf("%.1f + %s of %d", c.Primary, harvested, c.Cores),
	}
}

// finish sets the predicted finish beside the deadline: at length, and for
// narrow terminals. It is nil when nothing is predicted.
func finish(v progress.View) []string {
	if v.Phase != ledger.Admitted || v.Finish.IsZero() {
		return nil
	}
	when := humane.When(v.Finish, v.Now)
	long, short := v.Basis()+" "+when, when
	if v.Finish.Before(v.Now) {
		long, short = "later than "+v.Basis(), "late"
	}
	if v.Deadline.IsZero() {
		return []string{long, short}
	}
	slack := v.Deadline.Sub(later(v.Finish, v.Now)).Seconds()
	beside, brief := humane.Slack(slack), humane.Seconds(slack)+" to spare"
	if slack < 0 {
		beside, brief = red.Render(beside), red.Render(humane.Seconds(-slack)+" too late")
	}
	return []string{long + ", " + beside, short + ", " + brief}
}

package progress

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lull/cmd/lull/commands/humane"
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
func Render(v View, width int) string {
	lines := []string{head(v)}
	name := 0
	for _, st := range v.Stages {
		name = max(name, lipgloss.Width(st.Name))
	}
	name = min(max(name, len("finish")), max(6, width/4))
	for _, st := range v.Stages {
		lines = append(lines, row(st.Name, name, st.bar(barWidth(width, name)), st.counts()))
	}
	if v.CPU.Hosts > 0 {
		lines = append(lines, row("CPU", name, v.CPU.bar(barWidth(width, name)), v.CPU.text()))
	}
	if text := v.finish(); text != "" {
		lines = append(lines, row("finish", name, "", text))
	}
	if v.Note != "" {
		lines = append(lines, yellow.Render(v.Note))
	}
	return Narrow(strings.Join(lines, "\n"), width)
}

func head(v View) string {
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

// barWidth leaves the counts 44 columns; where that leaves less than eight,
// numbers tell more than a bar.
func barWidth(width, name int) int {
	room := width - name - 44
	if room < 8 {
		return 0
	}
	return min(room, 40)
}

// counts says how many tasks are in which state, and what the stage waits for.
func (st Stage) counts() string {
	parts := []string{fmt.Sprintf("%d/%d done", st.Done, st.Tasks)}
	add := func(n int, what string, style lipgloss.Style) {
		if n > 0 {
			parts = append(parts, style.Render(fmt.Sprintf("%d %s", n, what)))
		}
	}
	add(st.Held, "running", cyan)
	add(st.Evicted, "evicted", yellow)
	add(st.Failed, "failed", red)
	add(st.Dead, "given up", red)
	if len(st.Waits) > 0 && st.Held == 0 {
		parts = append(parts, faint.Render("after "+strings.Join(st.Waits, ", ")))
	}
	return strings.Join(parts, "  ")
}

func (c CPU) text() string {
	return fmt.Sprintf("primary %.1f + harvested %s of %d cores",
		c.Primary, green.Render(fmt.Sprintf("%.1f", c.Harvested)), c.Cores)
}

// finish sets the predicted finish beside the deadline.
func (v View) finish() string {
	if v.Phase != ledger.Admitted || v.Finish.IsZero() {
		return ""
	}
	text := "predicted " + humane.When(v.Finish, v.Now)
	if v.Finish.Before(v.Now) {
		text = "later than predicted"
	}
	if v.Deadline.IsZero() {
		return text
	}
	late := v.Deadline.Sub(later(v.Finish, v.Now)).Seconds()
	if late < 0 {
		return text + ", " + red.Render(humane.Slack(late))
	}
	return text + ", " + humane.Slack(late)
}

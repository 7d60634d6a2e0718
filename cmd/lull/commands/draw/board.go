package draw

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lull/client/progress"
	"lull/subjects/humane"
	"lull/subjects/ledger"
)

// Board shows several jobs, a line each.
func Board(views []progress.View) string {
	if len(views) == 0 {
		return "No open jobs. Ctrl-C ends the watch."
	}
	name := 0
	for _, v := range views {
		name = max(name, lipgloss.Width(v.Job))
	}
	lines := make([]string, len(views))
	for i, v := range views {
		lines[i] = row(v.Job, name, ofStage(v.Whole(), 20), brief(v))
	}
	return strings.Join(lines, "\n")
}

// Narrow cuts lines to a terminal's width.
func Narrow(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "…")
	}
	return strings.Join(lines, "\n")
}

func brief(v progress.View) string {
	text := counts(v.Whole())
	if v.Phase == ledger.Submitted {
		text = v.Phase.String()
	}
	if !v.Deadline.IsZero() {
		text += "  deadline " + humane.When(v.Deadline, v.Now)
	}
	if v.Note != "" {
		text += "  " + yellow.Render(v.Note)
	}
	return fmt.Sprintf("%s %s", text, faint.Render(humane.Span(v.Now.Sub(v.Since))))
}

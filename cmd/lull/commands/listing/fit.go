package listing

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fit cuts the lines of a table that are wider than the terminal, so that each row stays on one
// line. A width of 0 cuts nothing.
func fit(text string, width int) string {
	if width <= 0 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "…")
	}
	return strings.Join(lines, "\n")
}

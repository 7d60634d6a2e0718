package listing

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"lull/cmd/lull/plain"
)

// columns is the width of the terminal that w prints on, 0 if w is none: a file or a
// pipe gets whole lines.
func columns(w io.Writer) int {
	if colored, ok := w.(*colorprofile.Writer); ok {
		w = colored.Forward
	}
	if harmless, ok := w.(*plain.Writer); ok {
		w = harmless.Forward
	}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

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

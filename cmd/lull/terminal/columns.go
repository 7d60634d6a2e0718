// Package terminal fits text to the terminal that it is printed on.
package terminal

import (
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"golang.org/x/term"

	"lull/cmd/lull/plain"
)

// Columns is the width of the terminal that w prints on, 0 if w is none: a file or a
// pipe gets whole lines.
func Columns(w io.Writer) int {
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

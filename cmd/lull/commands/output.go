package commands

import (
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"lull/cmd/lull/commands/draw"
)

// output is how a command's answer is shown.
type output struct {
	plain bool // no colours
}

func (o *output) colorFlag(f *pflag.FlagSet) {
	f.BoolVar(&o.plain, "no-color", false, "no colours ($NO_COLOR)")
}

// out is where a command prints, in the colours that are wanted and known.
func (o *output) out(cmd *cobra.Command) io.Writer {
	w := colorprofile.NewWriter(cmd.OutOrStdout(), os.Environ())
	w.Profile = o.colors(w.Profile)
	return w
}

// painter draws on a terminal, in the same colours.
func (o *output) painter(tty *os.File) *draw.Painter {
	return draw.NewPainter(tty, o.colors(colorprofile.Detect(tty, os.Environ())), func() int { return columns(tty) })
}

func (o *output) colors(known colorprofile.Profile) colorprofile.Profile {
	if o.plain {
		return min(known, colorprofile.ASCII)
	}
	return known
}

// terminal returns the terminal behind w, if it is one that can be drawn on.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// columns is the width of a terminal.
func columns(tty *os.File) int {
	if width, _, err := term.GetSize(int(tty.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

// hint adds to a usage error where to read on.
func hint(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())
}

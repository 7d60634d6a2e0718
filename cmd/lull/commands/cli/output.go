package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"lull/cmd/lull/commands/draw"
	"lull/cmd/lull/plain"
	"lull/cmd/lull/terminal"
)

// Output says how a command prints.
type Output struct {
	plain bool // no colours
}

// ColorFlag adds the flag for output without colours.
func (o *Output) ColorFlag(f *pflag.FlagSet) {
	f.BoolVar(&o.plain, "no-color", false, "print without colours ($NO_COLOR)")
}

// Out returns the writer for a command's answer, with the colours that the user wants and the terminal
// knows. Control sequences in texts of other users do not reach the terminal.
func (o *Output) Out(cmd *cobra.Command) io.Writer {
	w := colorprofile.NewWriter(cmd.OutOrStdout(), os.Environ())
	w.Profile = o.colors(w.Profile)
	w.Forward = plain.NewWriter(w.Forward)
	return w
}

// Messages returns the writer for what is not a command's answer.
func Messages(cmd *cobra.Command) io.Writer { return plain.NewWriter(cmd.ErrOrStderr()) }

// Painter draws on a terminal, in the same colours.
func (o *Output) Painter(tty *os.File) *draw.Painter {
	return draw.NewPainter(tty, o.colors(colorprofile.Detect(tty, os.Environ())), func() int { return Columns(tty) })
}

func (o *Output) colors(known colorprofile.Profile) colorprofile.Profile {
	if o.plain {
		return min(known, colorprofile.ASCII)
	}
	return known
}

// Terminal returns the terminal behind a stream, if it is one that can be drawn on.
func Terminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// Columns is the width of a terminal.
func Columns(tty *os.File) int {
	return cmp.Or(terminal.Columns(tty), 80)
}

// hint adds to a usage error where to read on.
func hint(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())
}

package cli

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/spf13/cobra"
)

// A task wrote to stderr what clears the screen and sets its title. A user that looks at the job on
// a terminal sees the characters.
func TestWhatTasksWroteSteersNoTerminal(t *testing.T) {
	t.Setenv("CLICOLOR_FORCE", "1")
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm-256color")
	var b bytes.Buffer
	cmd := new(cobra.Command)
	cmd.SetOut(&b)
	cmd.SetErr(&b)
	var o Output
	if _, err := fmt.Fprint(o.Out(cmd), "  | \x1b[1m\x1b]0;mine\x07\x1b[2J\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(Messages(cmd), "\x1b[2J\n"); err != nil {
		t.Fatal(err)
	}
	if want := "  | \x1b[1m^[]0;mine^G^[[2J\n^[[2J\n"; b.String() != want {
		t.Errorf("output = %q, want %q", b.String(), want)
	}
}

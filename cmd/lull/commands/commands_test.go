package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"lull/cmd/lull/exit"
)

// lull runs a command line. It returns the exit code and the text of the error.
func lull(t *testing.T, line ...string) (code int, text string) {
	t.Helper()
	root := &cobra.Command{Use: "lull", SilenceErrors: true, SilenceUsage: true}
	root.AddCommand(Commands()...)
	root.SetArgs(line)
	err := root.ExecuteContext(t.Context())
	return exit.Code(err), fmt.Sprint(err)
}

// A script whose variable is unset gives an empty command, which /bin/sh would try to run in each task.
func TestAnEmptyCommandIsRefused(t *testing.T) {
	if code, text := lull(t, "run", "--", ""); code != exit.Usage || !strings.Contains(text, "is empty") {
		t.Errorf("lull run -- '' = exit code %d, %q, want a usage error that it is empty", code, text)
	}
}

// A wrong queue name or weight is refused before any service is asked, and none of its bytes reach
// the terminal unescaped.
func TestGarbageIsNoQueue(t *testing.T) {
	for _, line := range [][]string{
		{"queue", "set", "A b*"}, {"queue", "set", ""}, {"queue", "set", "x\x1b[31m"}, {"queue", "unset", "A b*"}, {"queue", "unset", "x\x1b[31m"},
		{"queue", "set", "x", "--weight", "0"}, {"queue", "set", "x", "--weight", "-1"}, {"queue", "set", "x", "--weight", "1e-9"},
		{"queue", "set", "x", "--weight", "NaN"}, {"queue", "set", "x", "--weight", "1e7"}, {"jobs", "--queue", "a.>"},
	} {
		code, text := lull(t, line...)
		if code != exit.Usage || strings.ContainsRune(text, '\x1b') {
			t.Errorf("lull %q = exit code %d, %q, want a usage error without an escape byte", line, code, text)
		}
		if len(line) > 3 && !strings.Contains(text, "give a number from 0.000001 to 1000000") {
			t.Errorf("lull %q = %q, want the bounds", line, text)
		}
	}
}

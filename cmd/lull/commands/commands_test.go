package commands

import (
	"strings"
	"testing"

	"lull/cmd/lull/exit"
)

// A script whose variable is unset gives an empty command, which /bin/sh would try to run in each task.
func TestAnEmptyCommandIsRefused(t *testing.T) {
	for _, cmd := range Commands() {
		if cmd.Name() != "run" {
			continue
		}
		cmd.SetArgs([]string{"--", ""})
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		if err := cmd.ExecuteContext(t.Context()); exit.Code(err) != exit.Usage || !strings.Contains(err.Error(), "is empty") {
			t.Errorf("lull run -- '': %v, want a usage error that it is empty", err)
		}
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
		for _, cmd := range Commands() {
			if cmd.Name() != line[0] {
				continue
			}
			cmd.SetArgs(line[1:])
			cmd.SilenceErrors, cmd.SilenceUsage = true, true
			err := cmd.ExecuteContext(t.Context())
			if exit.Code(err) != exit.Usage || strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("lull %q: %v, want a usage error without an escape byte", line, err)
			}
			if len(line) > 3 && !strings.Contains(err.Error(), "give a number from 0.000001 to 1000000") {
				t.Errorf("lull %q: %v, want the bounds", line, err)
			}
		}
	}
}

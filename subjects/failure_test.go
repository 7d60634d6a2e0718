package subjects

import "testing"

func TestAFailureInWordsKeepsToTheFirstClause(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{ReasonNotFound, `command not found: "x" (no x in PATH /bin)`, `command not found: "x"`},
		{ReasonMemory, "it went over its memory limit of 50 MB: raise `memory:` of stage s", "it went over its memory limit of 50 MB: raise `memory:` of stage s"},
		{ReasonTimeout, "it ran for longer than 2s", "it ran for longer than 2s"},
		{ReasonExit, "", "the command exited with status 0"},
		{ReasonExit, "its output could not be kept: no space left", "the command exited with status 0: its output could not be kept: no space left"},
		{ReasonNotFound, "", "the command does not exist on the host"},
		{ReasonInput, "file /a has changed\nmore", "file /a has changed"},
		{"new-reason", "", "new-reason"},
	} {
		if got := (&Failed{Reason: c.reason, Text: c.text}).Words(); got != c.want {
			t.Errorf("Words of %q, %q = %q, want %q", c.reason, c.text, got, c.want)
		}
	}
}

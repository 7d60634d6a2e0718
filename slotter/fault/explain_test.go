package fault

import (
	"strings"
	"testing"

	"lull/subjects"
)

func TestTailsAreWholeLinesAndBounded(t *testing.T) {
	long := strings.Repeat("x", maxTail) + "\nsecond line\nlast line\n"
	if got := tail(long); got != "second line\nlast line" {
		t.Errorf("tail(long lines) = %q, want the last two", got)
	}
	if got := tail(strings.Repeat("é", maxTail)); len(got) > maxTail || strings.Trim(got, "é") != "" {
		t.Errorf("tail(one long line) = %d bytes from %q on, want at most %d and whole letters", len(got), got[:4], maxTail)
	}
}

func TestAFaultIsDescribed(t *testing.T) {
	for want, f := range map[string]Fault{
		"on host a, the command exited with status 3: it said so\nthe end": {Host: "a", Reason: subjects.ReasonExit, Exit: 3, Text: "it said so", Tail: "the end"},
		"on host b, the command was killed by signal 9":                    {Host: "b", Reason: subjects.ReasonExit, Exit: -9},
	} {
		if got := f.describe(); got != want {
			t.Errorf("describe() of %+v = %q, want %q", f, got, want)
		}
	}
}

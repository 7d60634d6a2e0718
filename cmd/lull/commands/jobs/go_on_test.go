package jobs

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

func TestARejectionSaysWithWhichCommandToGoOn(t *testing.T) {
	at := time.Date(2026, 11, 29, 10, 4, 48, 0, time.Local)
	stamp := at.Format(time.RFC3339)
	for _, c := range []struct {
		argv       string
		late, dead string
	}{
		{"lull run night.yaml", "lull run night.yaml --late run", "lull run night.yaml --deadline " + stamp},
		{"lull submit --deadline=1s --id n-1 --late reject n.yaml", "lull submit --deadline=1s n.yaml --late run", "lull submit --late reject n.yaml --deadline " + stamp},
		{"lull run --deadline 1s -- make --late x", "lull run --deadline 1s --late run -- make --late x", "lull run --deadline " + stamp + " -- make --late x"},
	} {
		got := goOn(strings.Fields(c.argv), subjects.ReasonDeadline, at)
		if !strings.Contains(got, "\n  "+c.late+"\n") || !strings.HasSuffix(got, "\n  "+c.dead) {
			t.Errorf("after %q: %s\nwant %q and %q", c.argv, got, c.late, c.dead)
		}
	}
	if got := goOn([]string{"lull", "run", "it's a job.yaml"}, subjects.ReasonOthers, time.Time{}); !strings.HasSuffix(got, `lull run 'it'\''s a job.yaml' --late run`) {
		t.Errorf("goOn = %q, want the file quoted, and no deadline", got)
	}
	if got := goOn([]string{"lull", "run", "x"}, subjects.ReasonNoHost, at); got != "" {
		t.Errorf("goOn of a job that no host can run = %q, want nothing", got)
	}
}

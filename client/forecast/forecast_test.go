package forecast

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// TestTheIntervalOfAnEnd: it has the days where they differ from today, and is left out where both
// of its ends would read the same.
func TestTheIntervalOfAnEnd(t *testing.T) {
	now := time.Date(2026, 11, 21, 23, 0, 0, 0, time.Local)
	for _, c := range []struct {
		soonest, latest time.Duration
		want            string
	}{
		{time.Minute, 2 * time.Minute, ", 90 % interval 23:01:00 to 23:02:00"},
		{59 * time.Minute, 9 * time.Hour, ", 90 % interval 23:59:00 to 22 Nov 08:00:00"},
		{1100 * time.Millisecond, 1900 * time.Millisecond, ""},
	} {
		f := &subjects.Forecast{
			Verdict: subjects.VerdictAdmitted, At: now.Format(time.RFC3339Nano), Finish: now.Add(c.soonest).Format(time.RFC3339Nano), FinishSeconds: 1,
			Soonest: now.Add(c.soonest).Format(time.RFC3339Nano), Latest: now.Add(c.latest).Format(time.RFC3339Nano),
		}
		end := Of(f, now).Times[0]
		if end.Label != "Predicted end" || !strings.HasSuffix(end.Text, "(in 1 s)"+c.want) {
			t.Errorf("%s %q, want the interval %q", end.Label, end.Text, c.want)
		}
	}
}

// TestAnEndThatRestsOnAGuess: whatever the verdict is.
func TestAnEndThatRestsOnAGuess(t *testing.T) {
	f := &subjects.Forecast{
		Verdict: subjects.VerdictAdmitted, Finish: "2026-11-21T12:00:10Z", FinishSeconds: 10,
		Stages: []subjects.Assumption{{Basis: subjects.BasisModel}, {Basis: subjects.BasisDefault}},
	}
	if end := Of(f, time.Now()).Times[0]; end.Label != "Guessed end" {
		t.Errorf("the end is called %q, want Guessed end", end.Label)
	}
}

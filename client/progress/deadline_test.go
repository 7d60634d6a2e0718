package progress

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

func TestTheLastLineSaysWhetherTheDeadlineWasKept(t *testing.T) {
	due := time.Date(2026, 11, 29, 10, 0, 0, 0, time.Local)
	minute := func(n int) int64 { return due.Add(time.Duration(n) * time.Minute).UnixNano() }
	promise := PromiseOf(&subjects.Admitted{Finish: minute(-10), Soonest: minute(-20), Latest: minute(-5)})
	for _, c := range []struct {
		phase   ledger.Phase
		ended   int
		promise Promise
		want    string
	}{
		{ledger.Finished, -2, promise, "\nDeadline kept by 2m 00s (29 Nov 10:00:00 "},
		{ledger.Finished, -2, promise, "; when it was admitted, its end was predicted for 09:50:00, with 90 % between 09:40:00 and 09:55:00."},
		{ledger.Finished, 3, Promise{}, "\nDeadline missed by 3m 00s ("},
		{ledger.Finished, 3, Promise{Late: true}, "); it was not promised, as late: run allows."},
		{ledger.Failed, 3, Promise{}, "\nDeadline missed: the job failed 3m 00s after it ("},
	} {
		v := View{Phase: c.phase, Deadline: due, Ended: due.Add(time.Duration(c.ended) * time.Minute), Promise: c.promise}
		if got := v.kept(); !strings.Contains(got, c.want) {
			t.Errorf("kept() of a job that %s %d minutes after its deadline = %q, want %q in it", c.phase, c.ended, got, c.want)
		}
	}
	for _, v := range []View{{Phase: ledger.Failed, Deadline: due, Ended: due.Add(-1)}, {Phase: ledger.Cancelled, Deadline: due, Ended: due}, {Phase: ledger.Finished, Ended: due}} {
		if got := v.kept(); got != "" {
			t.Errorf("kept() of a job that %s = %q, want nothing: a retry may keep its deadline, or it has none", v.Phase, got)
		}
	}
}

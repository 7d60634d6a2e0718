package admission

import (
	"strings"
	"testing"
	"time"

	"lull/admission/facts"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/spec"
)

// The server's clock was set back by ten years: for half a minute its stamps are long before the log's
// time, and each relative deadline is over. The rejection names both clocks.
func TestARejectionNamesClocksThatDisagree(t *testing.T) {
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	v := &verdicts{Facts: &facts.Facts{Now: now.UnixNano()}}
	at := now.AddDate(-10, 0, 0)
	e := v.tooLate(pool.Newcomer{ID: "a", Spec: &spec.Job{}, At: at.UnixNano(), Deadline: at.Add(10 * time.Minute).UnixNano()})
	for _, want := range []string{"stamped it 2016-11-25T12:00:00Z", "the log's time, 2026-11-25T12:00:00Z", "clock disagrees"} {
		if !strings.Contains(e.Text, want) {
			t.Errorf("%q does not say %q", e.Text, want)
		}
	}
	e = v.tooLate(pool.Newcomer{ID: "a", Spec: &spec.Job{}, At: now.Add(-time.Second).UnixNano(), Deadline: now.Add(-time.Hour).UnixNano()})
	if e.Code != subjects.ReasonPast || strings.Contains(e.Text, "clock") {
		t.Errorf("tooLate() = %+v, want no word of clocks", e)
	}
}

package progress

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

func TestAJobThatRunsAfterOthersSaysWhatItWaitsFor(t *testing.T) {
	soon := start.Add(2 * time.Minute).UnixNano()
	for want, d := range map[string]*subjects.JobDetail{
		"it waits for a to finish (predicted in 2m 00s), for b to fail": {Awaits: []subjects.AwaitLine{{Job: "a", Finish: soon}, {Job: "b", On: spec.OnFailed, Finish: 1}}},
		"it waits for a to end, for b to end, for c to end, for 2 jobs more": {Awaits: []subjects.AwaitLine{
			{Job: "a", On: spec.OnAny}, {Job: "b", On: spec.OnAny}, {Job: "c", On: spec.OnAny}, {Job: "d", On: spec.OnAny}, {Job: "e"}}},
		"it will be cancelled: it runs after a": {Unmet: "it runs after a", Awaits: []subjects.AwaitLine{{Job: "b"}}},
	} {
		d.JobLine, d.Pool = subjects.JobLine{Job: "j", State: "admitted"}, subjects.JobPool{Up: 1, Open: 1}
		if got := From(d, start).Note; got != want {
			t.Errorf("Note = %q, want %q", got, want)
		}
	}
}

package ledger

import (
	"testing"

	"lull/subjects"
)

func TestTheFetchRateIsThatOfTheLastModelThatKnowsIt(t *testing.T) {
	s := New()
	for _, step := range []struct {
		e    *subjects.Fitted
		want float64
	}{
		{&subjects.Fitted{Type: "b"}, 0},
		{&subjects.Fitted{Type: "b", Fetch: 100}, 100},
		{&subjects.Fitted{Type: "a", Fetch: 50}, 50},
		{&subjects.Fitted{Type: "c"}, 50},
		{&subjects.Fitted{Type: "b", Fetch: 70}, 70},
		{&subjects.Fitted{Type: "b"}, 50}, // of a slotter that began anew
	} {
		tell(s, step.e)
		if restored := again(t, s); s.FetchRate() != step.want || restored.FetchRate() != step.want {
			t.Errorf("after %+v: %g, and %g from a snapshot, want %g", step.e, s.FetchRate(), restored.FetchRate(), step.want)
		}
	}
}

package tct

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// A task that computes takes as much longer as its part of the slot is smaller. One that waits for
// something else takes as long as a whole one.
func TestCurvesOfParts(t *testing.T) {
	curves := NewCurves()
	half := curves.For(nil, 10*time.Second, 0, 500)
	near(t, "half of an idle core", half.Seconds(1), 20)
	near(t, "half of half a core", half.Seconds(0.5), 40)
	near(t, "half of a twentieth", half.Seconds(0.05), 400)
	near(t, "its norm is over its own best time", half.Norm(0.5), 2)
	near(t, "over its own share of a core", half.Whole().Seconds(0.5), 20)
	waits := &subjects.Fitted{Type: "waits", A: 7, Low: 0.05, High: 1}
	near(t, "what waits", curves.For(waits, 0, 0, 250).Seconds(1), 7)
	if whole := curves.Of(nil, 10*time.Second, 0); curves.For(nil, 10*time.Second, 0, spec.Core) != whole || whole.Whole() != whole {
		t.Error("For(a whole core) is another curve than the type's, want the same one")
	}
	if curves.For(nil, 10*time.Second, 0, 500) != half {
		t.Error("For(half a core) twice made two curves, want one")
	}
	before := curves.Len()
	if curves.Forget("waits"); before-curves.Len() != 2 {
		t.Errorf("%d curves are dropped with the model, want its own and its part's", before-curves.Len())
	}
}

// Users choose estimates and parts: however many they choose, the curves of models stay.
func TestChosenCurvesAreBounded(t *testing.T) {
	curves := NewCurves()
	model := &subjects.Fitted{Type: "m", A: 7, Low: 0.05, High: 1}
	of := curves.Of(model, 0, 0)
	for i := range 2 * mostChosen {
		curves.For(nil, time.Duration(i)*time.Second, 0, spec.Cores(1+i%999))
	}
	if n := curves.Len(); n > mostChosen+1 {
		t.Errorf("%d curves are kept, want at most %d and the model's", n, mostChosen)
	}
	if curves.Of(model, 0, 0) != of {
		t.Error("Of(model) twice made two curves, want one")
	}
	near(t, "after all others", curves.For(nil, 10*time.Second, 0, 500).Seconds(1), 20)
}

package ledger

import (
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// A task that its stage tries again after an exit status uses no retry, however often, up to a bound.
func TestATaskThatIsTriedAgainUsesNoRetries(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, other, submitted, admitted, &subjects.Led{Actor: string(subjects.RoleSlotter), Format: subjects.FormatOnExit})
	again := func() {
		sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: sc.again(), Reason: subjects.ReasonExit, Exit: 75, Again: true})
	}
	st := sc.s.Job("j").Stages[0]
	for range spec.MostAgain - 1 {
		again()
	}
	if fails, waits := Fails(st, 0), st.state(0); fails != 0 || waits != Waiting {
		t.Fatalf("after %d attempts it is in state %v with %d failures, want waiting with none", spec.MostAgain-1, waits, fails)
	}
	if again(); Fails(st, 0) != 1 {
		t.Errorf("after %d attempts it has %d failures, want 1", spec.MostAgain, Fails(st, 0))
	}
}

// An older slotter would count it, so all do while one leads.
func TestAnOlderSlotterCountsATaskThatIsTriedAgain(t *testing.T) {
	sc := &script{t, New()}
	sc.must(joined, other, submitted, admitted, &subjects.Led{Actor: string(subjects.RoleSlotter), Format: subjects.FormatOnExit - 1})
	sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: sc.again(), Reason: subjects.ReasonExit, Exit: 75, Again: true})
	if got := Fails(sc.s.Job("j").Stages[0], 0); got != 1 {
		t.Errorf("it has %d failures, want 1", got)
	}
}

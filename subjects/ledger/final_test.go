package ledger

import (
	"testing"

	"lull/subjects"
)

// A task whose failure is final is not tried again, unless a service leads that would.
func TestAFinalFailureUsesNoRetries(t *testing.T) {
	for format, want := range map[uint32]bool{subjects.FormatFinal: true, subjects.FormatFinal - 1: false} {
		sc := &script{t, New()}
		sc.must(joined, other, submitted, admitted, &subjects.Led{Actor: string(subjects.RoleSlotter), Format: format})
		f := sc.again()
		sc.must(&subjects.Failed{Host: "h", Job: "j", Fact: f, Reason: subjects.ReasonOutput, Final: true})
		if _, dead := sc.s.Job("j").Dead(); dead != want {
			t.Errorf("with a slotter of format %d the task is dead: %v, want %v", format, dead, want)
		}
	}
}

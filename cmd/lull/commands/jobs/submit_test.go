package jobs

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

// A job of tasks that take a millisecond may be over, as predicted, before its verdict is printed.
func TestAVerdictPredictsNothingOfThePast(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	for late, texts := range map[bool][2]string{
		false: {"Admitted, predicted to finish in 5 s.", "Admitted."},
		true: {
			"Admitted, but its deadline cannot be kept: it runs after the jobs whose deadlines can, predicted to finish in 5 s.",
			"Admitted, but its deadline cannot be kept: it runs after the jobs whose deadlines can.",
		},
	} {
		for i, end := range []time.Time{now.Add(5 * time.Second), now.Add(-3 * time.Millisecond)} {
			line := &subjects.JobLine{State: ledger.Admitted.String(), Late: late, Finish: end.UnixNano()}
			if got := verdictText(line, now); got != texts[i] {
				t.Errorf("verdictText(%+v) = %q, want %q", line, got, texts[i])
			}
		}
	}
}

package reconcile

import (
	"testing"

	"lull/subjects/ledger"
)

func TestWhyAnAttemptIsUnwanted(t *testing.T) {
	for phase, want := range map[ledger.Phase]string{
		ledger.Failed:    "its job failed",
		ledger.Cancelled: "its job is cancelled",
		ledger.Admitted:  "its task is done or held by another attempt",
	} {
		if got := whyUnwanted(&ledger.Attempt{Job: &ledger.Job{Phase: phase}}); got != want {
			t.Errorf("of a job that is %s: %q, want %q", phase, got, want)
		}
	}
}

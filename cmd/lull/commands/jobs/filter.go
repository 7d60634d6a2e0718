package jobs

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"lull/cmd/lull/exit"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

var stateNames = []string{
	ledger.Submitted.String(), ledger.Trying.String(), ledger.Admitted.String(), ledger.Finished.String(),
	ledger.Failed.String(), ledger.Cancelled.String(), ledger.Rejected.String(), subjects.OpenJobs,
}

// asked is the question that the flags ask.
func (j *jobs) asked() (ask subjects.JobsAsk, err error) {
	for _, state := range j.states {
		if !slices.Contains(stateNames, state) {
			return ask, exit.With(exit.Usage, fmt.Errorf("--state %q: use %s", state, strings.Join(stateNames, ", ")))
		}
	}
	if _, err := path.Match(j.name, ""); err != nil {
		return ask, exit.With(exit.Usage, fmt.Errorf("--name %q: %w: close every [", j.name, err))
	}
	if j.queue != "" {
		if err := spec.CheckQueue(j.queue); err != nil {
			return ask, exit.With(exit.Usage, fmt.Errorf("--%w", err))
		}
	}
	return subjects.JobsAsk{States: j.states, Queue: j.queue, Name: j.name}, nil
}

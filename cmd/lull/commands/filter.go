package commands

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"lull/cmd/lull/exit"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// open stands for every state of a job that has not ended.
const open = "open"

var stateNames = []string{
	ledger.Submitted.String(), ledger.Admitted.String(), ledger.Finished.String(),
	ledger.Failed.String(), ledger.Cancelled.String(), ledger.Rejected.String(), open,
}

// filter says which jobs the flags leave.
func (j *jobs) filter() (func(*ledger.Job) bool, error) {
	for _, state := range j.states {
		if !slices.Contains(stateNames, state) {
			return nil, exit.With(exit.Usage, fmt.Errorf("--state %q: use %s", state, strings.Join(stateNames, ", ")))
		}
	}
	if _, err := path.Match(j.name, ""); err != nil {
		return nil, exit.With(exit.Usage, fmt.Errorf("--name %q: %w: close every [", j.name, err))
	}
	if j.queue != "" {
		if err := spec.CheckQueue(j.queue); err != nil {
			return nil, exit.With(exit.Usage, fmt.Errorf("--%w", err))
		}
	}
	return func(job *ledger.Job) bool {
		return j.inState(job) && (j.queue == "" || j.queue == job.Spec.Share()) && j.named(job.Spec.Name)
	}, nil
}

func (j *jobs) inState(job *ledger.Job) bool {
	return len(j.states) == 0 || slices.Contains(j.states, job.Phase.String()) ||
		!job.Phase.Ended() && slices.Contains(j.states, open)
}

func (j *jobs) named(name string) bool {
	match, _ := path.Match(j.name, name)
	return j.name == "" || match
}

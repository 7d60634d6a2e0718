package story

import "lull/subjects"

// lifecycle follows whether a job may be cancelled or run again. The log also holds requests to cancel jobs that
// had ended, and to retry jobs that were running. They change nothing, and admission told the client so.
type lifecycle struct {
	began     bool // the job's first entry is known
	over      bool // it failed or was cancelled
	done      bool // it finished, or was rejected
	cancelled bool // the last entry was a cancel that counts
	retried   bool // the last entry was a retry that counts
}

// note takes in the next entry of the job.
func (x *lifecycle) note(e subjects.Event) {
	x.cancelled, x.retried = false, false
	switch e.(type) {
	case *subjects.Submitted:
		x.began = true
	case *subjects.JobFailed:
		x.over = !x.done
	case *subjects.Rejected:
		x.began, x.done = true, true
	case *subjects.Cancelled:
		x.cancelled, x.over = !x.over && !x.done, !x.done
	case *subjects.JobFinished:
		x.began, x.over, x.done = true, false, true
	case *subjects.Retried:
		x.retried, x.over = x.over || !x.began, false
	}
}

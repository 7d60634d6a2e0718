package slotter

import "lull/subjects"

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	if j := a.state.Job(jobOf(e)); j != nil {
		return j.Trace
	}
	return ""
}

func jobOf(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Assigned:
		return e.Job
	case *subjects.Revoked:
		return e.Job
	case *subjects.OutputLost:
		return e.Job
	case *subjects.JobFinished:
		return e.Job
	case *subjects.JobFailed:
		return e.Job
	}
	return ""
}

package slotter

import "lull/subjects"

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	if j := a.state.Job(subjects.JobOf(e)); j != nil {
		return j.Trace
	}
	return ""
}

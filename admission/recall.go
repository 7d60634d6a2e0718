package admission

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Recall returns the verdict on a message that a client sent again. The inbox
// keeps no repeat, so it does not become a message of its own.
func (a *Actor) Recall(r actors.Request) (subjects.Verdict, bool) {
	m, err := a.inbox.Read(&r)
	if err != nil {
		return subjects.Verdict{}, false
	}
	if m.From.Verb == "" {
		return a.inbox.Recall(m)
	}
	j := a.facts.Ledger.Job(m.Job)
	switch {
	case j == nil || !j.Phase.Judged() || !m.MayChange(&a.facts.Config, j.User):
		return subjects.Verdict{}, false
	case m.From.Verb == subjects.RequestCancel && !m.CancelsTasks():
		return subjects.Verdict{Job: j.ID, Verdict: subjects.VerdictCancelled}, j.Phase == ledger.Cancelled
	case m.From.Verb == subjects.RequestRetry:
		return subjects.Verdict{Job: j.ID, Verdict: subjects.VerdictRetried}, j.Phase == ledger.Admitted
	}
	return subjects.Verdict{}, false
}

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	switch e := e.(type) {
	case *subjects.Submitted:
		return e.Trace
	case *subjects.Rejected:
		return e.Trace
	}
	id := subjects.JobOf(e)
	if j := a.facts.Ledger.Job(id); j != nil {
		return j.Trace
	}
	for _, m := range a.inbox.Pending {
		if m.Job == id {
			return m.Trace
		}
	}
	return ""
}

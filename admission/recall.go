package admission

import (
	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Recall returns the verdict on a message that a client sent again. The inbox
// keeps no repeat, so it does not become a message of its own.
func (a *Actor) Recall(r actors.Request) (subjects.Verdict, bool) {
	m, err := a.inbox.read(&r)
	if err != nil {
		return subjects.Verdict{}, false
	}
	if m.from.Verb == "" {
		return a.inbox.recall(m)
	}
	j := a.facts.Ledger.Job(m.job)
	switch {
	case j == nil || !j.Phase.Judged() || !m.mayChange(&a.facts.Config, j.User):
		return subjects.Verdict{}, false
	case m.from.Verb == subjects.RequestCancel:
		return subjects.Verdict{Job: j.ID, Verdict: subjects.VerdictCancelled}, j.Phase == ledger.Cancelled
	case m.from.Verb == subjects.RequestRetry:
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
	for _, m := range a.inbox.pending {
		if m.job == id {
			return m.trace
		}
	}
	return ""
}

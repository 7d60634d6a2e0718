package admission

import (
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

func reply(inbox uint64, v subjects.Verdict) []actors.Reply {
	return []actors.Reply{{Inbox: inbox, Verdict: v}}
}

// verdictOf returns the ledger's verdict on a job in the form for its submitter.
func verdictOf(j *ledger.Job) subjects.Verdict {
	v := subjects.Verdict{Job: j.ID, Code: j.Code, Text: j.Text, Slack: j.Slack}
	switch {
	case j.Phase == ledger.Rejected:
		v.Verdict, v.Earliest = subjects.VerdictRejected, timestamp(j.Earliest)
	case j.Phase == ledger.Cancelled && (j.Admitted == 0 || j.Finish == 0): // before its verdict
		v.Verdict = subjects.VerdictCancelled
	default:
		v.Verdict, v.Finish = subjects.VerdictAdmitted, timestamp(j.Finish)
	}
	return v
}

func timestamp(at int64) string {
	if at == 0 {
		return ""
	}
	return time.Unix(0, at).UTC().Format(time.RFC3339)
}

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
	j := a.state.Job(m.job)
	switch {
	case j == nil || !j.Phase.Judged() || !a.cfg.mayChange(m, j.User):
		return subjects.Verdict{}, false
	case m.from.Verb == subjects.RequestCancel:
		return subjects.Verdict{Job: j.ID, Verdict: subjects.VerdictCancelled}, j.Phase == ledger.Cancelled
	case m.from.Verb == subjects.RequestRetry:
		return subjects.Verdict{Job: j.ID, Verdict: subjects.VerdictRetried}, j.Phase == ledger.Admitted
	}
	return subjects.Verdict{}, false
}

// recall is the verdict on a submission that was repeated, or on another one
// under the same id.
func (in *inbox) recall(m *message) (subjects.Verdict, bool) {
	j := in.sent(m)
	switch {
	case j == nil:
		return subjects.Verdict{}, false
	case !m.asks(j):
		return duplicate(j.ID), true
	}
	return verdictOf(j), j.Phase.Judged()
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
	if j := a.state.Job(id); j != nil {
		return j.Trace
	}
	for _, m := range a.inbox.pending {
		if m.job == id {
			return m.trace
		}
	}
	return ""
}

package admission

import (
	"bytes"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func reply(inbox uint64, v subjects.Verdict) []actors.Reply {
	return []actors.Reply{{Inbox: inbox, Verdict: v}}
}

// verdictOf is what the ledger says of a job, as its submitter hears it.
func verdictOf(j *ledger.Job) subjects.Verdict {
	v := subjects.Verdict{Job: j.ID, Code: j.Code, Text: j.Text, Slack: j.Slack}
	switch {
	case j.Phase == ledger.Rejected:
		v.Verdict, v.Earliest = "rejected", timestamp(j.Earliest)
	case j.Phase == ledger.Cancelled && j.Admitted == 0:
		v.Verdict = "cancelled"
	default:
		v.Verdict, v.Finish = "admitted", timestamp(j.Finish)
	}
	return v
}

// duplicate refuses another job under the id, which is the message id, of j.
func duplicate(j *ledger.Job) subjects.Verdict {
	return subjects.Verdict{
		Job: j.ID, Verdict: "rejected", Code: subjects.ReasonDuplicate,
		Text: "another job was submitted under the same message id: give each job its own Nats-Msg-Id",
	}
}

// same compares specifications by their bytes in the log.
func same(x, y *spec.Job) bool {
	a, errA := subjects.Marshal(x)
	b, errB := subjects.Marshal(y)
	return errA == nil && errB == nil && bytes.Equal(a, b)
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
	m, err := a.read(&r)
	if err != nil {
		return subjects.Verdict{}, false
	}
	j := a.state.Job(m.job)
	switch {
	case j == nil || j.Phase == ledger.Submitted:
		return subjects.Verdict{}, false
	case m.from.Verb == subjects.RequestCancel:
		return subjects.Verdict{Job: j.ID, Verdict: "cancelled"}, j.Phase == ledger.Cancelled
	case m.from.Verb == subjects.RequestRetry:
		return subjects.Verdict{Job: j.ID, Verdict: "retried"}, j.Phase == ledger.Admitted
	case r.MessageID == "":
		return subjects.Verdict{}, false
	}
	return verdictOf(j), true
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
	for _, m := range a.pending {
		if m.job == id {
			return m.trace
		}
	}
	return ""
}

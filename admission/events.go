package admission

import (
	"lull/admission/facts"
	"lull/subjects"
)

// cancelled is the event of a cancel.
func (m *message) cancelled(c *facts.Config, inbox uint64) *subjects.Cancelled {
	return &subjects.Cancelled{Job: m.job, Inbox: inbox, User: m.user(c), Who: m.claim(c, m.request.Who), Why: m.request.Why}
}

// retried is the event of a request to run a job again.
func (m *message) retried(c *facts.Config) *subjects.Retried {
	return &subjects.Retried{Job: m.job, Inbox: m.inbox, User: m.user(c), Who: m.claim(c, m.request.Who), Why: m.request.Why}
}

// submitted is the event of a submission under an id.
func (m *message) submitted(c *facts.Config, id string) *subjects.Submitted {
	return &subjects.Submitted{
		Job: id, Spec: *m.spec, Digest: m.digest, User: m.user(c), Client: m.claim(c, m.client), Inbox: m.inbox,
		At: m.at, Deadline: m.deadline(), Trace: m.trace,
	}
}

// invalid rejects a message that holds no valid job, or that the log cannot keep.
func (in *inbox) invalid(m *message) *subjects.Rejected {
	if m.name == "" {
		m.job = subjects.JobID("request", "", "", m.inbox)
	}
	return &subjects.Rejected{
		Job: in.fresh(m), Name: m.name, User: m.user(&in.Config), Client: m.claim(&in.Config, m.client), Inbox: m.inbox, Trace: m.trace,
		Code: subjects.ReasonInvalid, Text: clip(m.err.Error()),
	}
}

// fresh returns an unused id for a message's job. Without a message id the job's id follows from
// the message's sequence in the inbox, and a job of the pool's earlier inbox may already have it.
func (in *inbox) fresh(m *message) string {
	if in.Ledger.Job(m.job) != nil {
		m.job = subjects.JobIDAgain(m.name, in.Ledger.InboxBorn, m.inbox)
	}
	return m.job
}

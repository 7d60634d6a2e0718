package inbox

import (
	"lull/admission/facts"
	"lull/subjects"
)

// Cancelled is the event of a cancel.
func (m *Message) Cancelled(c *facts.Config, inbox uint64) *subjects.Cancelled {
	return &subjects.Cancelled{Job: m.Job, Inbox: inbox, User: m.user(c), Who: m.unprovenUser(c, m.request.Who), Why: m.request.Why}
}

// Retried is the event of a request to run a job again.
func (m *Message) Retried(c *facts.Config) *subjects.Retried {
	return &subjects.Retried{Job: m.Job, Inbox: m.Inbox, User: m.user(c), Who: m.unprovenUser(c, m.request.Who), Why: m.request.Why}
}

// Submitted is the event of a submission under an id.
func (m *Message) Submitted(c *facts.Config, id string) *subjects.Submitted {
	return &subjects.Submitted{
		Job: id, Spec: *m.Spec, Digest: m.digest, User: m.user(c), Client: m.unprovenUser(c, m.client), Inbox: m.Inbox,
		At: m.At, Deadline: m.Deadline(), Trace: m.Trace,
	}
}

// Invalid rejects a message that holds no valid job, or that the log cannot keep.
func (in *Inbox) Invalid(m *Message) *subjects.Rejected {
	if m.Name == "" {
		m.Job = subjects.JobID("request", "", "", m.Inbox)
	}
	return &subjects.Rejected{
		Job: in.NewID(m), Name: m.Name, User: m.user(&in.Config), Client: m.unprovenUser(&in.Config, m.client), Inbox: m.Inbox, Trace: m.Trace,
		Code: subjects.ReasonInvalid, Text: clip(m.Err.Error()),
	}
}

// NewID returns an unused id for a message's job. Without a message id the job's id follows from
// the message's sequence in the inbox, and a job of the pool's earlier inbox may already have it.
func (in *Inbox) NewID(m *Message) string {
	if in.Ledger.Job(m.Job) != nil {
		m.Job = subjects.JobIDAgain(m.Name, in.Ledger.InboxCreated, m.Inbox)
	}
	return m.Job
}

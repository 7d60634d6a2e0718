package inbox

import (
	"lull/admission/facts"
	"lull/subjects"
)

// CancelsTasks reports whether the message asks for the end of some tasks, not of the whole job.
func (m *Message) CancelsTasks() bool {
	return m.From.Verb == subjects.RequestCancel && len(m.request.Tasks) > 0
}

// TasksCancelled is the event of a cancel of tasks. It names none if not all services and hosts read it: the ledger
// refuses it then.
func (m *Message) TasksCancelled(c *facts.Config, read bool) *subjects.TasksCancelled {
	e := &subjects.TasksCancelled{Job: m.Job, Inbox: m.Inbox, User: m.user(c), Who: m.unprovenUser(c, m.request.Who), Why: m.request.Why}
	if read {
		e.Tasks = m.request.Tasks
	}
	return e
}

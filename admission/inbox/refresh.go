package inbox

import (
	"lull/subjects"
	"lull/subjects/ledger"
)

// Refresh adds the job's document with the inputs that the request pins anew to the event of a retry. What does not fit
// the job, or not all services and hosts can read, leaves the event without a document: the ledger then refuses it.
func (m *Message) Refresh(e *subjects.Retried, j *ledger.Job, read bool) {
	pins := m.request.Refresh
	if len(pins) == 0 {
		return
	}
	job, again, err := subjects.Repin(j.Spec(), pins)
	if err == nil {
		_, err = fitting(job)
	}
	e.Again = again
	if err != nil || !read {
		e.Again = []subjects.StageTasks{{}}
		return
	}
	e.Doc = &subjects.Submitted{
		Job: j.ID, Spec: *job, Digest: j.Digest, User: j.User, Client: j.Client, Trace: j.Trace,
		Inbox: j.Inbox, At: j.Submitted, Deadline: j.Deadline,
	}
}

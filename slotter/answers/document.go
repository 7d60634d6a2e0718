package answers

import (
	"fmt"

	"lull/subjects"
)

// document returns a job's document. Hosts ask for it when the log no longer keeps the
// job's entry.
func (f *Facts) document(body []byte) *subjects.DocumentAnswer {
	var ask subjects.DocumentAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.DocumentAnswer{Error: err.Error()}
	}
	j := f.State.Job(ask.Job)
	if j == nil || ask.Seq != 0 && j.DocSeq() != ask.Seq || len(j.Shape.Stages) == 0 {
		return &subjects.DocumentAnswer{Error: fmt.Sprintf("job %q with a document at entry %d is not known any more", ask.Job, ask.Seq)}
	}
	return &subjects.DocumentAnswer{Submitted: &subjects.Submitted{
		Spec: *j.Spec(), Digest: j.Digest, User: j.User, Client: j.Client, Trace: j.Trace,
		Inbox: j.Inbox, At: j.Submitted, Deadline: j.Deadline,
	}}
}

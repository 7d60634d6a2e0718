package admission

import (
	"crypto/sha256"
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// A message id belongs to its submitter: the job's id follows from both, and from
// the name. So a job is found by that part of its id. A repeat is recognised for
// as long as the ledger knows the job, whatever became of the inbox meanwhile.

// senders finds jobs by subjects.SenderOf of their ids.
type senders map[string]string

func sendersOf(jobs *ledger.Jobs) senders {
	s := make(senders, jobs.Len())
	for j := range jobs.All() {
		s.note(j.ID)
	}
	return s
}

func (s senders) note(job string) {
	if of := subjects.SenderOf(job); of != "" {
		s[of] = job
	}
}

// note remembers a job that came into the ledger. Those that left it are dropped
// when they are more than those that are there.
func (a *Actor) note(job string) {
	if jobs := a.state.Jobs(); len(a.senders) > 2*jobs.Len()+1000 {
		a.senders = sendersOf(jobs)
	}
	a.senders.note(job)
}

// sent is the job that was submitted under a message's id by its sender, nil if
// the ledger knows none.
func (a *Actor) sent(m *message) *ledger.Job {
	if !m.named {
		return nil
	}
	return a.state.Job(a.senders[subjects.SenderOf(m.job)])
}

// screen takes out of the inbox's messages what calls for no event: requests
// without a right, and repeats. It answers them. They leave no trace in the log,
// for anybody can send any number of them; a later instance that reads one answers
// it again.
func (a *Actor) screen() (replies []actors.Reply) {
	first := map[string]*message{}
	a.pending = slices.DeleteFunc(slices.Clone(a.pending), func(m *message) bool {
		answers, done := a.screened(m, first)
		replies = append(replies, answers...)
		if done {
			a.heavy -= m.size
		}
		return done
	})
	return replies
}

// screened looks at one message; first are those of the inbox that stand before
// it, by sender and id.
func (a *Actor) screened(m *message, first map[string]*message) (replies []actors.Reply, done bool) {
	if m.from.Verb != "" {
		return a.forbid(m)
	}
	if !m.named {
		return nil, false
	}
	if j := a.sent(m); j != nil {
		return a.repeat(m, j), true
	}
	sender := subjects.SenderOf(m.job)
	f := first[sender]
	switch {
	case f == nil:
		first[sender] = m
		return nil, false
	case !f.equals(m):
		return reply(m.inbox, duplicate(f.job)), true
	}
	a.waiting[f.job] = append(a.waiting[f.job], m.inbox)
	return nil, true
}

// repeat answers a message whose sender has submitted j under the same id.
func (a *Actor) repeat(m *message, j *ledger.Job) []actors.Reply {
	switch {
	case !m.asks(j):
		return reply(m.inbox, duplicate(j.ID))
	case j.Phase == ledger.Submitted:
		a.waiting[j.ID] = append(a.waiting[j.ID], m.inbox)
		return nil
	}
	return reply(m.inbox, verdictOf(j))
}

// equals reports whether two messages hold the same job, or fail alike.
func (m *message) equals(o *message) bool {
	return m.job == o.job && m.digest == o.digest && text(m.err) == text(o.err)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return clip(err.Error())
}

// asks reports whether a message holds the job that became j. Of what an older
// version submitted, nobody knows once a summary is left.
func (m *message) asks(j *ledger.Job) bool {
	switch {
	case m.err != nil || j.Code == subjects.ReasonInvalid:
		return j.ID == m.job && j.Text == text(m.err)
	case j.Digest != subjects.Digest{}:
		return j.ID == m.job && j.Digest == m.digest
	case len(j.Spec.Stages) == 0:
		return j.ID == m.job
	}
	return j.ID == m.job && digestOf(j.Spec) == m.digest
}

// digestOf is a specification's, by its bytes in the log.
func digestOf(job *spec.Job) (d subjects.Digest) {
	body, err := subjects.Marshal(job)
	if err != nil {
		return d
	}
	return digest(body)
}

func digest(body []byte) (d subjects.Digest) {
	sum := sha256.Sum256(body)
	copy(d[:], sum[:])
	return d
}

// duplicate refuses another job under the id, which is the message id, of a job.
func duplicate(job string) subjects.Verdict {
	return subjects.Verdict{
		Job: job, Verdict: "rejected", Code: subjects.ReasonDuplicate,
		Text: "you submitted another job under the same message id: give each job its own Nats-Msg-Id",
	}
}

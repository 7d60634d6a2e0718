package inbox

import (
	"crypto/sha256"
	"slices"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// A message id belongs to its submitter: both, and the job's name, give the job's id, so a repeat
// is found by that part of the id. It is recognised as long as the ledger keeps the job, even if
// the inbox was replaced meanwhile.

// senders finds jobs, by the sequences of their submissions, by subjects.SenderOf of
// their ids. There is no pointer in it: the collector passes over a million jobs.
type senders map[sender]uint64

type sender [subjects.SenderBytes]byte

// senderOf is zero for what is no id of a job.
func senderOf(job string) (s sender) {
	copy(s[:], subjects.SenderOf(job))
	return s
}

func sendersOf(jobs *ledger.Jobs) senders {
	s := make(senders, jobs.Len())
	for j := range jobs.All() {
		s.note(j)
	}
	return s
}

func (s senders) note(j *ledger.Job) {
	if of := senderOf(j.ID); of != (sender{}) {
		s[of] = j.Seq
	}
}

// note adds a job that entered the ledger. Jobs that left it are dropped together, when
// they outnumber those in it.
func (in *Inbox) note(j *ledger.Job) {
	if jobs := in.Ledger.Jobs(); len(in.senders) > 2*jobs.Len()+1000 {
		in.senders = sendersOf(jobs)
	}
	in.senders.note(j)
}

// sent is the job that the message's sender submitted under its id, nil if the ledger
// has none.
func (in *Inbox) sent(m *Message) *ledger.Job {
	if !m.named {
		return nil
	}
	return in.Ledger.Submission(in.senders[senderOf(m.Job)])
}

// Screen removes messages that need no event and answers them: repeats, and requests
// without the right to what they ask. They leave no entry in the log, because any client
// can send any number of them. Another instance that reads one answers it again.
func (in *Inbox) Screen() (replies []actors.Reply) {
	first := map[string]*Message{}
	in.Pending = slices.DeleteFunc(slices.Clone(in.Pending), func(m *Message) bool {
		answers, done := in.screened(m, first)
		replies = append(replies, answers...)
		if done {
			in.PendingBytes -= m.Size
		}
		return done
	})
	return replies
}

// screened checks one message. first holds the earlier messages of the inbox, by sender
// and id.
func (in *Inbox) screened(m *Message, first map[string]*Message) (replies []actors.Reply, done bool) {
	if m.From.Verb != "" {
		return in.forbid(m)
	}
	if !m.named {
		return nil, false
	}
	if j := in.sent(m); j != nil {
		return in.repeat(m, j), true
	}
	sender := subjects.SenderOf(m.Job)
	f := first[sender]
	switch {
	case f == nil:
		first[sender] = m
		return nil, false
	case !f.equals(m):
		return reply(m.Inbox, duplicate(f.Job)), true
	}
	in.Waiting[f.Job] = append(in.Waiting[f.Job], m.Inbox)
	return nil, true
}

// repeat answers a message under an id under which its sender has already submitted j.
func (in *Inbox) repeat(m *Message, j *ledger.Job) []actors.Reply {
	switch {
	case !m.matches(j):
		return reply(m.Inbox, duplicate(j.ID))
	case !j.Phase.Judged():
		in.Waiting[j.ID] = append(in.Waiting[j.ID], m.Inbox)
		return nil
	}
	return reply(m.Inbox, verdictOf(j))
}

// equals reports whether two messages hold the same job, or fail alike.
func (m *Message) equals(o *Message) bool {
	return m.Job == o.Job && m.digest == o.digest && text(m.Err) == text(o.Err)
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return clip(err.Error())
}

// matches reports whether a message holds the job that became j. For a job that an older
// version submitted and of which only a summary is left, it assumes so.
func (m *Message) matches(j *ledger.Job) bool {
	switch {
	case m.Err != nil || j.Code == subjects.ReasonInvalid:
		return j.ID == m.Job && j.Text == text(m.Err)
	case j.Digest != subjects.Digest{}:
		return j.ID == m.Job && j.Digest == m.digest
	case len(j.Shape.Stages) == 0:
		return j.ID == m.Job
	}
	return j.ID == m.Job && digestOf(j.Spec()) == m.digest
}

// digestOf is the digest of a specification's bytes in the log.
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

// duplicate refuses a different job under the message id of an earlier one.
func duplicate(job string) subjects.Verdict {
	return subjects.Verdict{
		Job: job, Verdict: subjects.VerdictRejected, Code: subjects.ReasonDuplicate,
		Text: "you submitted another job under the same message id: give each job its own Nats-Msg-Id",
	}
}

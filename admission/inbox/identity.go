package inbox

import (
	"lull/actors"
	"lull/admission/facts"
	"lull/subjects"
)

// user is the sender that the server proves, "" if it proves none.
func (m *Message) user(c *facts.Config) string {
	if !c.Vouched {
		return ""
	}
	return m.From.User
}

// unprovenUser returns the sender's unproven name, to show to users: the one in the message, or that of
// the subject where the server's permissions do not fix it.
func (m *Message) unprovenUser(c *facts.Config, said string) string {
	if c.Vouched {
		return said
	}
	return subjects.Claim(m.From.User, said)
}

// MayChange reports whether the sender of a request may change a job of owner. Any
// sender may change a job without a proven submitter.
func (m *Message) MayChange(c *facts.Config, owner string) bool {
	return !c.Vouched || owner == "" || m.From.Admin || m.From.User == owner
}

// owner is the proven submitter of the job that m names: a job in the ledger, or one
// submitted before m in the inbox.
func (in *Inbox) owner(m *Message) string {
	if j := in.Ledger.Job(m.Job); j != nil {
		return j.User
	}
	for _, earlier := range in.Pending {
		if earlier.Inbox < m.Inbox && earlier.From.Verb == "" && earlier.Job == m.Job {
			return earlier.user(&in.Config)
		}
	}
	return ""
}

// refuseNewQueue refuses to retry a job if that would bring one queue too many into being again.
func (in *Inbox) refuseNewQueue(m *Message) (replies []actors.Reply, done bool) {
	j := in.Ledger.Job(m.Job)
	if m.From.Verb != subjects.RequestRetry || j == nil || !j.Phase.Ended() {
		return nil, false
	}
	text := in.names.Refuses(j.Shape.Share())
	if text == "" {
		return nil, false
	}
	return reply(m.Inbox, subjects.Verdict{Job: m.Job, Verdict: subjects.VerdictRefused, Code: subjects.ReasonQueues, Text: text}), true
}

// forbid refuses a request if its sender may not change the job, or the pool has no room
// for its queue.
func (in *Inbox) forbid(m *Message) (replies []actors.Reply, done bool) {
	owner := in.owner(m)
	if m.MayChange(&in.Config, owner) {
		return in.refuseNewQueue(m)
	}
	return reply(m.Inbox, subjects.Verdict{
		Job: m.Job, Verdict: subjects.VerdictRefused, Code: subjects.ReasonForbidden,
		Text: "job " + m.Job + " is of user " + owner + ": only that user, or an operator by --as-operator, may " + m.From.Verb + " it",
	}), true
}

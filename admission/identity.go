package admission

import (
	"lull/actors"
	"lull/admission/facts"
	"lull/subjects"
)

// user is the sender that the server proves, "" if it proves none.
func (m *message) user(c *facts.Config) string {
	if !c.Vouched {
		return ""
	}
	return m.from.User
}

// claim returns the sender's unproven name, to show to users: the one in the message, or that of
// the subject where the server's permissions do not fix it.
func (m *message) claim(c *facts.Config, said string) string {
	if c.Vouched {
		return said
	}
	return subjects.Claim(m.from.User, said)
}

// mayChange reports whether the sender of a request may change a job of owner. Any
// sender may change a job without a proven submitter.
func (m *message) mayChange(c *facts.Config, owner string) bool {
	return !c.Vouched || owner == "" || m.from.Admin || m.from.User == owner
}

// owner is the proven submitter of the job that m names: a job in the ledger, or one
// submitted before m in the inbox.
func (in *inbox) owner(m *message) string {
	if j := in.Ledger.Job(m.job); j != nil {
		return j.User
	}
	for _, earlier := range in.pending {
		if earlier.inbox < m.inbox && earlier.from.Verb == "" && earlier.job == m.job {
			return earlier.user(&in.Config)
		}
	}
	return ""
}

// crowded refuses to retry a job if that would bring one queue too many into being again.
func (in *inbox) crowded(m *message) (replies []actors.Reply, done bool) {
	j := in.Ledger.Job(m.job)
	if m.from.Verb != subjects.RequestRetry || j == nil || !j.Phase.Ended() {
		return nil, false
	}
	text := in.names.Refuses(j.Shape.Share())
	if text == "" {
		return nil, false
	}
	return reply(m.inbox, subjects.Verdict{Job: m.job, Verdict: subjects.VerdictRefused, Code: subjects.ReasonQueues, Text: text}), true
}

// forbid refuses a request if its sender may not change the job, or the pool has no room
// for its queue.
func (in *inbox) forbid(m *message) (replies []actors.Reply, done bool) {
	owner := in.owner(m)
	if m.mayChange(&in.Config, owner) {
		return in.crowded(m)
	}
	return reply(m.inbox, subjects.Verdict{
		Job: m.job, Verdict: subjects.VerdictRefused, Code: subjects.ReasonForbidden,
		Text: "job " + m.job + " is of user " + owner + ": only that user, or an operator by --as-operator, may " + m.from.Verb + " it",
	}), true
}

package ledger

import "lull/subjects"

// Word names the author of, and the reason for, a change to a job, a host, a queue or the pool,
// to show to users.
type Word struct {
	User  string `msgpack:"user,omitempty" json:"user,omitempty"`   // proven by the server, "" for none
	Claim string `msgpack:"claim,omitempty" json:"claim,omitempty"` // the unproven name
	Why   string `msgpack:"why,omitempty" json:"why,omitempty"`
}

// By is the author's name, marked as a claim if it is unproven; "" if there is none.
func (w *Word) By() string {
	if w == nil {
		return ""
	}
	return subjects.Identity(w.User, w.Claim)
}

// Reason is the author's reason, "" for none.
func (w *Word) Reason() string {
	if w == nil {
		return ""
	}
	return w.Why
}

// said is the word of a request, from the event in which admission recorded its sender.
func said(user, claim, why string) *Word {
	if user == "" && claim == "" && why == "" {
		return nil
	}
	return &Word{user, claim, why}
}

// signed is the word of an operator's event, whose subject ends with the operator's token. The
// token is proven if admission vouches that keys can only write their own user's, and a claim
// otherwise.
func (s *State) signed(user, claim, why string) *Word {
	if !s.Vouched {
		user, claim = "", subjects.Claim(user, claim)
	}
	return said(user, claim, why)
}

// weigh is about the bytes of memory that it takes.
func (w *Word) weigh() int {
	if w == nil {
		return 0
	}
	return wordBytes + len(w.User) + len(w.Claim) + len(w.Why)
}

package ledger

import "lull/subjects"

// Word is what a person said of a job, a host, a queue or the pool, for people.
type Word struct {
	User  string `msgpack:"user,omitempty" json:"user,omitempty"`   // proven by the server, "" for nobody
	Claim string `msgpack:"claim,omitempty" json:"claim,omitempty"` // what the message says of its sender
	Why   string `msgpack:"why,omitempty" json:"why,omitempty"`
}

// By names who said it, marked as a claim where it is one; "" if nobody is named.
func (w *Word) By() string {
	if w == nil {
		return ""
	}
	return subjects.Identity(w.User, w.Claim)
}

// Reason is why, "" if nothing is said.
func (w *Word) Reason() string {
	if w == nil {
		return ""
	}
	return w.Why
}

// said is the word of a sender that admission wrote down, who vouched for the user.
func said(user, claim, why string) *Word {
	if user == "" && claim == "" && why == "" {
		return nil
	}
	return &Word{user, claim, why}
}

// signed is the word of an operator, whose token stands in the subject. The server
// lets a key write its own user's alone if admission vouches for that; without it
// the token is a claim.
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

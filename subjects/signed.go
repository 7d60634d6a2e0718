package subjects

import (
	"cmp"
	"strconv"
)

// signed is an event that an operator writes into the log. Its subject may end
// with the operator's token, which the server's permissions fix: see Inbound.
type signed interface {
	Event
	signer() *string  // the operator's token in the subject
	claimed() *string // what the body says of its sender
}

func (e *Paused) signer() *string      { return &e.User }
func (e *Resumed) signer() *string     { return &e.User }
func (e *Drained) signer() *string     { return &e.User }
func (e *PoolPaused) signer() *string  { return &e.User }
func (e *PoolResumed) signer() *string { return &e.User }
func (e *Shared) signer() *string      { return &e.User }
func (e *Wired) signer() *string       { return &e.User }
func (e *Owned) signer() *string       { return &e.User }

func (e *Paused) claimed() *string      { return &e.Who }
func (e *Resumed) claimed() *string     { return &e.Who }
func (e *Drained) claimed() *string     { return &e.Who }
func (e *PoolPaused) claimed() *string  { return &e.Who }
func (e *PoolResumed) claimed() *string { return &e.Who }
func (e *Shared) claimed() *string      { return &e.Who }
func (e *Wired) claimed() *string       { return &e.Who }
func (e *Owned) claimed() *string       { return &e.Who }

// Sign puts an operator's token into the subject of e, if e is an operator's event.
// A user of "" takes it out.
func Sign(e Event, user string) {
	if s, ok := e.(signed); ok {
		*s.signer() = user
	}
}

// Unsign takes the operator's token out of the subject of e and leaves it as a claim,
// beside which nothing else is claimed.
func Unsign(e Event) {
	s, ok := e.(signed)
	if !ok {
		return
	}
	claim := s.claimed()
	*claim = Claim(*s.signer(), *claim)
	*s.signer() = ""
}

// sign adds the operator's token to the tokens of e's subject.
func sign(e signed, tokens ...string) []string {
	if user := *e.signer(); user != "" {
		return append(tokens, user)
	}
	return tokens
}

// signature sets the operator from the tokens after the verb, if there is one.
func signature(e signed, behind []string) {
	if len(behind) > 0 {
		*e.signer() = behind[0]
	}
}

// Claim is the unproven name of a sender: the one that the message claims, else the user in its
// subject.
func Claim(user, claim string) string { return cmp.Or(claim, user) }

// Identity is the name to show to users: the proven user, or else the claimed one, marked as a
// claim. It is "" if there is none.
func Identity(user, claim string) string {
	switch {
	case user != "":
		return user
	case claim != "":
		return strconv.Quote(claim) + " (claimed)"
	}
	return ""
}

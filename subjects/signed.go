package subjects

import "strconv"

// signed is an event that an operator writes into the log. Its subject may end
// with the operator's token, which the server's permissions fix: see Inbound.
type signed interface {
	Event
	signer() *string
}

func (e *Paused) signer() *string      { return &e.User }
func (e *Resumed) signer() *string     { return &e.User }
func (e *Drained) signer() *string     { return &e.User }
func (e *PoolPaused) signer() *string  { return &e.User }
func (e *PoolResumed) signer() *string { return &e.User }
func (e *Shared) signer() *string      { return &e.User }

// Sign makes user the one whose key writes e, if e is an operator's word. A user
// of "" leaves it with what it claims.
func Sign(e Event, user string) {
	if s, ok := e.(signed); ok {
		*s.signer() = user
	}
}

// sign adds the operator's token to the tokens of e's subject.
func sign(e signed, tokens ...string) []string {
	if user := *e.signer(); user != "" {
		return append(tokens, user)
	}
	return tokens
}

// signature takes the operator's token, if there is one, from the tokens behind
// the verb.
func signature(e signed, behind []string) {
	if len(behind) > 0 {
		*e.signer() = behind[0]
	}
}

// Identity names who did something, for people: the user whom the server vouches
// for, or else what the message claims, marked as a claim. It is "" when nobody
// is named.
func Identity(user, claim string) string {
	switch {
	case user != "":
		return user
	case claim != "":
		return strconv.Quote(claim) + " (claimed)"
	}
	return ""
}

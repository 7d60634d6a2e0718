package ledger

import "lull/subjects"

// Attribution is subjects.Attribution.
type Attribution = subjects.Attribution

// newAttribution returns the Attribution of a request, from the event in which admission recorded its sender.
func newAttribution(user, claim, why string) *Attribution {
	if user == "" && claim == "" && why == "" {
		return nil
	}
	return &Attribution{User: user, Claim: claim, Why: why}
}

// operatorAttribution returns the Attribution of an operator's event; its subject ends with the operator's token. The
// token is proven if admission vouches that keys can only write their own user's, and a claim
// otherwise.
func (s *State) operatorAttribution(user, claim, why string) *Attribution {
	if !s.Vouched {
		user, claim = "", subjects.Claim(user, claim)
	}
	return newAttribution(user, claim, why)
}

// attributionSize is about the bytes of memory that an Attribution takes.
func attributionSize(w *Attribution) int {
	if w == nil {
		return 0
	}
	return attributionBytes + len(w.User) + len(w.Claim) + len(w.Why)
}

package ledger

import "lull/subjects"

// Word is subjects.Word.
type Word = subjects.Word

// said returns the Word of a request, from the event in which admission recorded its sender.
func said(user, claim, why string) *Word {
	if user == "" && claim == "" && why == "" {
		return nil
	}
	return &Word{User: user, Claim: claim, Why: why}
}

// signed returns the Word of an operator's event; its subject ends with the operator's token. The
// token is proven if admission vouches that keys can only write their own user's, and a claim
// otherwise.
func (s *State) signed(user, claim, why string) *Word {
	if !s.Vouched {
		user, claim = "", subjects.Claim(user, claim)
	}
	return said(user, claim, why)
}

// weighWord is about the bytes of memory that a word takes.
func weighWord(w *Word) int {
	if w == nil {
		return 0
	}
	return wordBytes + len(w.User) + len(w.Claim) + len(w.Why)
}

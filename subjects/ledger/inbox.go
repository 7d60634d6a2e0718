package ledger

import "lull/subjects"

// reads notes which inbox a new term reads. A new inbox counts its messages from 1 again: none was
// dealt with, and the sequences that open jobs have from the old inbox mean nothing in it. An older
// version did not record its inbox. Then the inbox counts as new if it ends before the last message
// that was dealt with.
func (s *State) reads(e *subjects.Led) {
	if e.Inbox == 0 || e.Inbox == s.InboxBorn {
		return
	}
	known := s.InboxBorn != 0
	s.InboxBorn = e.Inbox
	if !known && e.InboxLast >= s.Inbox {
		return
	}
	s.Inbox = 0
	for j := range s.LiveJobs().All() {
		j.Inbox = 0
	}
}

package ledger

import "lull/subjects"

// reads notes which inbox a new term reads. Another one than before counts its
// messages from 1 again: none of them was dealt with, and the numbers that open
// jobs have from the old one mean nothing in it. An older version did not say which
// one it read: then it is another if it ends before what was dealt with.
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

package ledger

import "lull/subjects"

// noteInbox notes which inbox a new term reads. A new inbox counts its messages from 1 again: none was
// dealt with, and the sequences that open jobs have from the old inbox mean nothing in it. An older
// version did not record its inbox. Then the inbox counts as new if it ends before the last message
// that was dealt with.
func (s *State) noteInbox(e *subjects.Led) {
	if e.Actor != string(subjects.RoleAdmission) || e.Inbox == 0 {
		return
	}
	if e.Inbox == s.InboxCreated {
		s.Inbox = withinInbox(s.Inbox, e.InboxLast)
		return
	}
	known := s.InboxCreated != 0
	s.InboxCreated = e.Inbox
	if !known && e.InboxLast >= s.Inbox {
		return
	}
	s.Inbox = 0
	for j := range s.LiveJobs().All() {
		j.Inbox = 0
	}
}

// farAhead is how many messages more than its inbox had a log may have dealt with when a term began: those that came
// between the look at the inbox and the term.
const farAhead = 1 << 20

// withinInbox corrects the last message that was dealt with where that is far beyond the inbox's last one. A wrong entry
// named a message that does not exist, and all messages before that one would count as dealt with.
func withinInbox(dealtWith, last uint64) uint64 {
	if last > 0 && dealtWith > last && dealtWith-last > farAhead {
		return last
	}
	return dealtWith
}

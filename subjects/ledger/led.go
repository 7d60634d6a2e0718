package ledger

import "lull/subjects"

// terms are the last terms, by actor.partition.
type terms map[string]term

// term is the last term of a partition.
type term struct {
	seq    uint64
	format uint32 // that its instance understands: see subjects.Format
}

func (s *State) led(seq uint64, e *subjects.Led) Verdict {
	s.terms[e.Actor+"."+e.Partition] = term{seq, e.Format}
	s.terms.dropOldest()
	if e.Actor == string(subjects.RoleAdmission) {
		s.Vouched = e.Vouched
	}
	s.noteInbox(e)
	return accepted
}

// keepTerms is how many partitions' last terms are kept.
const keepTerms = 64

// dropOldest drops the term that was opened first if there are too many.
func (all terms) dropOldest() {
	if len(all) <= keepTerms {
		return
	}
	oldest := ""
	for key, t := range all {
		if oldest == "" || t.seq < all[oldest].seq {
			oldest = key
		}
	}
	delete(all, oldest)
}

// Term returns the log sequence of a partition's last Led, 0 if there is none.
func (s *State) Term(actor, partition string) uint64 { return s.terms[actor+"."+partition].seq }

// Reads reports whether a form of message is understood by the services that led
// last, and by a host if one is named. What never led or joined reads nothing yet.
// A standby says nothing of itself: it is upgraded with the one that leads.
func (s *State) Reads(format uint32, host string) bool {
	for _, t := range s.terms {
		if t.format < format {
			return false
		}
	}
	return s.hosts[host].understands(format)
}

// AllRead reports whether the services that led last and all present hosts understand a form.
func (s *State) AllRead(format uint32) bool {
	for _, h := range s.byName {
		if !h.Gone && !h.understands(format) {
			return false
		}
	}
	return s.Reads(format, "")
}

func (h *Host) understands(format uint32) bool {
	return h == nil || h.Joined.Format >= format
}

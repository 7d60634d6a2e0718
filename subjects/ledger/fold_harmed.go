package ledger

import (
	"iter"
	"time"

	"lull/subjects"
	"lull/subjects/ledger/harm"
)

// HarmAccounts yields what is known of the CPU that primaries gave and of their delays, by tenant and host.
func (s *State) HarmAccounts() iter.Seq[*harm.Account] { return s.harm.All() }

// skew is how far a host's idea of the log's time may be ahead. An interval that
// ended in the far future would make all that follow void.
const skew = time.Minute

// harmed counts an interval of a host, once: it must not begin before the end of the last one that counted. It
// counts for the host's tenant, whatever tenant the event names.
func (s *State) harmed(now int64, e *subjects.Harmed) Verdict {
	h := s.hosts[e.Host]
	switch {
	case h == nil || h.Term != e.Term:
		return void("the host is unknown, or has joined again since")
	case e.From < h.harmed:
		return void("it was counted before, in part at least")
	case e.To > now+int64(skew):
		return void("it has not ended yet")
	}
	h.harmed = e.To
	s.harm.Add(now, s.Owners.Of(h), e)
	return accepted
}

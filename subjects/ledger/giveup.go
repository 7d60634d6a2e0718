package ledger

import "lull/subjects"

// giveUp declares that a host never comes back. Its attempts end, its later reports on them are
// void, and its outputs are lost. Otherwise the jobs of a dead machine's attempts would stay for
// ever. Lists leave the host out from now on.
func (s *State) giveUp(h *Host) Verdict {
	if !h.Gone {
		return void("the host is present")
	}
	for len(h.attempts) > 0 {
		a := h.attempts[0]
		s.release(a)
		if a.State <= Running {
			a.giveUpTask(Revoked)
		}
	}
	h.Lost, h.Forgotten = true, true
	return accepted
}

func (s *State) drained(e *subjects.Drained) Verdict {
	h := s.hosts[e.Host]
	switch {
	case h == nil:
		return void("no such host")
	case e.Forget:
		return s.giveUp(h)
	}
	h.Drain, h.HeldBy = true, s.operatorAttribution(e.User, e.Who, e.Why)
	return accepted
}

package ledger

import "lull/subjects"

func (s *State) joined(seq uint64, now int64, e *subjects.Joined) Verdict {
	if s.hosts[e.Host] == nil {
		s.forgetHosts(now)
	}
	h := s.host(e.Host)
	h.Term, h.Joined, h.Since = seq, *e, now
	s.setGone(h, false)
	h.Lost, h.Forgotten, h.Away, h.Heard = false, false, 0, 0
	h.resize()
	for _, a := range h.attempts {
		s.readopt(a)
	}
	return accepted
}

// readopt gives a task back to the attempt that a lost host still runs, when
// no other has taken it meanwhile.
func (s *State) readopt(a *Attempt) {
	if a.State != Vanished || !a.Job.Live() {
		return
	}
	t := a.stage().at(a.Task.Task)
	if t.state != Waiting {
		return
	}
	before := t.counts
	a.stage().holdTask(a.Task.Task, a.ID, a.Host.id)
	t.counts = before
	a.State = Given
	if a.Started != 0 {
		a.State = Running
	}
}

func (s *State) left(now int64, e *subjects.Left) Verdict {
	h := s.hosts[e.Host]
	if h == nil || h.Term != e.Term {
		return void("the host is unknown, or has joined again since")
	}
	s.setGone(h, true)
	h.Away, h.Heard = now, now
	return accepted
}

func (s *State) lost(now int64, e *subjects.Lost) Verdict {
	h := s.hosts[e.Host]
	if h == nil || h.Term != e.Term || h.Lost && !e.Forget {
		return void("the host is unknown, has joined again since, or is lost already")
	}
	if e.Forget {
		return s.giveUp(h)
	}
	if !h.Gone {
		h.Away, h.Heard = now, now-nanoseconds(e.Silence)
	}
	s.setGone(h, true)
	h.Lost = true
	for _, a := range h.attempts {
		if a.State != Revoked {
			a.giveUpTask(Vanished)
		}
	}
	return accepted
}

// nanoseconds turns the seconds of an event, which may be any number, into a time from 0 to a
// century.
func nanoseconds(seconds float64) int64 {
	if !(seconds > 0) {
		return 0
	}
	return int64(min(seconds, 100*365*24*3600) * 1e9)
}

// pausedOrResumed folds the events with which operators pause and resume a host.
func (s *State) pausedOrResumed(e subjects.Event) Verdict {
	name, set := s.pauseChange(e)
	h := s.hosts[name]
	if h == nil {
		return void("no such host")
	}
	set(h)
	return accepted
}

// pauseChange returns the host of such an event, and the change to make to it.
func (s *State) pauseChange(e subjects.Event) (host string, set func(*Host)) {
	switch e := e.(type) {
	case *subjects.Paused:
		return e.Host, func(h *Host) { h.Paused, h.HeldBy = true, s.operatorAttribution(e.User, e.Who, e.Why) }
	case *subjects.Resumed:
		return e.Host, func(h *Host) { h.Paused, h.Drain, h.HeldBy = false, false, nil }
	}
	return "", nil
}

package shim

import "slices"

// maxEnds bounds the ends that wait for their acknowledgement. An agent has a
// few under way; one that has lost its log must not fill our memory.
const maxEnds = 4096

// finish keeps an end until it is acknowledged, and reports it.
func (s *server) finish(e *Exited) {
	s.ended = append(s.ended, e)
	s.ended = s.ended[max(0, len(s.ended)-maxEnds):]
	s.tell(report{Exited: e})
}

// refuse keeps and reports a start that failed.
func (s *server) refuse(attempt uint64, reason, text string) {
	e := &StartFailed{Attempt: attempt, Reason: reason, Text: text}
	s.unstarted = append(s.unstarted, e)
	s.unstarted = s.unstarted[max(0, len(s.unstarted)-maxEnds):]
	s.tell(report{StartFailed: e})
}

func (s *server) forget(attempt uint64) {
	s.ended = slices.DeleteFunc(s.ended, func(e *Exited) bool { return e.Attempt == attempt })
	s.unstarted = slices.DeleteFunc(s.unstarted, func(e *StartFailed) bool { return e.Attempt == attempt })
}

// known reports whether an attempt runs, or has ended or failed here: an order
// that is repeated after a broken connection must not run it twice. How it
// ended is told again.
func (s *server) known(attempt uint64) bool {
	if s.task != nil && s.task.Attempt == attempt {
		return true
	}
	for _, e := range s.ended {
		if e.Attempt == attempt {
			s.tell(report{Exited: e})
			return true
		}
	}
	for _, e := range s.unstarted {
		if e.Attempt == attempt {
			s.tell(report{StartFailed: e})
			return true
		}
	}
	return false
}

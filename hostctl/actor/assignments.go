package actor

import (
	"lull/actors"
	"lull/subjects"
)

// assignments keeps the attempts that the log assigns to the host, from Assigned
// until the log has their end.
type assignments struct {
	*facts
	harm   *harm
	forget []Forget // not yet asked for
}

// foldAssigned accepts an assignment of the present term unless the host is paused
// or drained. The ledger voids the others. A void one must not wait here until the
// pause ends.
func (s *assignments) foldAssigned(seq uint64, e *subjects.Assigned) {
	if e.Term != s.term || s.left || s.lost || s.paused || s.drained {
		return
	}
	s.add(&attempt{id: seq, job: e.Job, taskID: e.TaskID, docSeq: e.Doc, try: e.Try, firstSlot: e.Slot, width: e.Width, part: e.Part, probe: e.Probe, assignedAt: s.now()})
}

// foldRevoked marks an attempt that the slotter takes back.
func (s *assignments) foldRevoked(e *subjects.Revoked) {
	t := s.attempt(e.Attempt)
	if t == nil && e.Unheld {
		s.reportTrimmed(e)
	}
	if t == nil || t.endReason != "" {
		return
	}
	t.endReason = subjects.ReasonRevoked
	if e.For != "" {
		t.endReason = subjects.ReasonPreempted
	}
}

// reportTrimmed reports the end of an attempt that the ledger has on this host and the host does not have.
// Such an assignment was trimmed before the host read it. If the log already has an end, the report
// is void.
func (s *assignments) reportTrimmed(e *subjects.Revoked) {
	t := &attempt{id: e.Attempt, job: e.Job, taskID: subjects.TaskID{Stage: e.Stage, Task: e.Task}}
	s.add(t)
	s.finish(t, &Ended{Outcome: Evicted, Reason: subjects.ReasonVanished})
}

// foldStarted notes that the log has an attempt's start.
func (s *assignments) foldStarted(e *subjects.Started) {
	if t := s.attempt(e.Attempt); t != nil && e.Term == s.term {
		t.startLogged = true
	}
}

// foldEnd folds a terminal fact, with which the ledger removes the attempt. It
// ignores facts of earlier terms: reconcile compares what runs with the log.
func (s *assignments) foldEnd(e subjects.Event) {
	f, _ := subjects.EndOf(e)
	if f == nil || f.Term != s.term {
		return
	}
	t := s.attempt(f.Attempt)
	if t == nil || t.taskID != f.TaskID {
		return
	}
	s.harm.countEviction(e)
	if t.phase == started {
		s.end(t)
		return
	}
	s.remove(f.Attempt)
	if t.phase == ended {
		_, committed := e.(*subjects.Finished)
		s.forget = append(s.forget, Forget{t.task(), committed})
	}
}

// end ends an attempt that runs although the log has its end. This host has reported none, so another writer did. The
// slot is in use until the process is gone.
func (s *assignments) end(t *attempt) {
	t.settled = true
	if t.endReason == "" {
		t.endReason = subjects.ReasonRevoked
	}
}

// forgetSettled removes an attempt that has ended if the log already has an end of it.
func (s *assignments) forgetSettled(t *attempt) {
	if t.settled {
		s.remove(t.id)
		s.forget = append(s.forget, Forget{Task: t.task()})
	}
}

// killCondemned asks once for the end of each started attempt that has a reason to
// end, and again if it is to hurry. An agent that stops gives all of them one, unless tasks stay.
func (s *assignments) killCondemned(actions []actors.Action) []actors.Action {
	for _, t := range s.held {
		if s.leaving && !s.cfg.Stay && t.phase == started && t.endReason == "" {
			t.endReason = subjects.ReasonPaused
		}
		if t.endReason != "" && !t.killSent && t.phase == started {
			t.killSent = true
			actions = append(actions, Kill{t.id, t.endReason, t.urgency})
		}
	}
	return actions
}

// forgetEnded reports to the shell which attempts have their ends in the log.
func (s *assignments) forgetEnded(actions []actors.Action) []actors.Action {
	for _, f := range s.forget {
		actions = append(actions, f)
	}
	s.forget = s.forget[:0]
	return actions
}

package actor

import (
	"lull/actors"
	"lull/subjects"
)

// fold mirrors what the ledger makes of a fact about this host.
func (a *Actor) fold(entry *actors.Entry) {
	a.seq = entry.Seq
	switch e := entry.Event.(type) {
	case *subjects.Joined:
		a.outlive(entry)
		a.join(entry.Seq)
	case *subjects.Left:
		a.left = a.left || e.Term == a.term
	case *subjects.Lost:
		if a.lost = a.lost || e.Term == a.term; e.Forget && e.Term == a.term {
			a.givenUp()
		}
	case *subjects.Paused:
		a.gates(a.term != 0, a.drained)
	case *subjects.Drained:
		if e.Forget {
			a.givenUp()
			break
		}
		a.gates(a.paused, a.term != 0)
	case *subjects.Resumed:
		a.gates(false, false)
	case *subjects.Assigned:
		a.assigned(entry.Seq, e)
	case *subjects.Revoked:
		a.revoked(e)
	case *subjects.Started:
		a.begun(e)
	case *subjects.Paced:
		a.pace(entry.Seq, e)
	case *subjects.Harmed:
		a.harmed(entry.Time, e)
	case *subjects.Identified:
		a.learnt(e)
	case *subjects.OutputMissing:
		a.missed(e)
	default:
		a.closed(entry.Event)
	}
}

// join opens a term. What is held goes on: the ledger takes what a host says of
// it in its newest term.
func (a *Actor) join(seq uint64) {
	a.term, a.left, a.lost = seq, false, false
	a.changed = true
}

func (a *Actor) gates(paused, drained bool) {
	a.changed = a.changed || paused != a.paused
	a.paused, a.drained = paused, drained
}

// givenUp ends the host's attempts, if it left or was lost: the ledger has ended them.
func (a *Actor) givenUp() {
	if !a.left && !a.lost {
		return
	}
	a.lost = true
	for _, t := range a.held {
		if t.kill == "" {
			t.kill = subjects.ReasonRevoked
		}
	}
}

// assigned accepts an assignment for the present incarnation unless the host is paused or
// drained; the ledger voids the others. A void one must not wait until the pause ends.
func (a *Actor) assigned(seq uint64, e *subjects.Assigned) {
	if e.Term != a.term || a.left || a.lost || a.paused || a.drained {
		return
	}
	a.add(&attempt{id: seq, job: e.Job, what: e.TaskID, doc: e.Doc, try: e.Try, place: e.Slot, width: e.Width, came: a.residual.at})
}

func (a *Actor) revoked(e *subjects.Revoked) {
	t := a.attempt(e.Attempt)
	if t == nil && e.Unheld {
		a.disown(e)
	}
	if t == nil || t.kill != "" {
		return
	}
	t.kill = subjects.ReasonRevoked
	if e.For != "" {
		t.kill = subjects.ReasonPreempted
	}
}

// disown reports the end of an attempt that the ledger has on this host and the host does
// not: its assignment was trimmed before the host read it. If the log already has an end,
// the report is void.
func (a *Actor) disown(e *subjects.Revoked) {
	t := &attempt{id: e.Attempt, job: e.Job, what: subjects.TaskID{Stage: e.Stage, Task: e.Task}}
	a.add(t)
	t.finish(a, &Ended{Outcome: Evicted, Reason: subjects.ReasonVanished})
}

func (a *Actor) begun(e *subjects.Started) {
	if t := a.attempt(e.Attempt); t != nil && e.Term == a.term {
		t.said = true
	}
}

// closed folds a terminal fact: with it the attempt is gone from the ledger.
// What an earlier process said is forgotten by settle, which compares what runs.
func (a *Actor) closed(e subjects.Event) {
	f, _ := subjects.EndOf(e)
	if f == nil || f.Term != a.term {
		return
	}
	t := a.attempt(f.Attempt)
	if t == nil || t.what != f.TaskID {
		return
	}
	a.remove(f.Attempt)
	a.madeWay(e)
	if t.phase == ended {
		_, committed := e.(*subjects.Finished)
		a.forget = append(a.forget, Forget{t.task(), committed})
	}
}

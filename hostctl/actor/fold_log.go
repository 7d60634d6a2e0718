package actor

import (
	"lull/actors"
	"lull/subjects"
)

// foldEntry applies an entry about this host to the state, as the ledger does.
func (a *Actor) foldEntry(entry *actors.Entry) {
	a.seq = entry.Seq
	switch e := entry.Event.(type) {
	case *subjects.Joined:
		a.pace.limitToRenewal(entry)
		a.join(entry.Seq, e)
	case *subjects.Left:
		a.left = a.left || e.Term == a.term
	case *subjects.Lost:
		if a.lost = a.lost || e.Term == a.term; e.Forget && e.Term == a.term {
			a.giveUp()
		}
	case *subjects.Paused:
		a.setGates(a.term != 0, a.drained)
	case *subjects.Drained:
		if e.Forget {
			a.giveUp()
			break
		}
		a.setGates(a.paused, a.term != 0)
	case *subjects.Resumed:
		a.setGates(false, false)
	case *subjects.Assigned:
		a.assignments.foldAssigned(entry.Seq, e)
	case *subjects.Revoked:
		a.assignments.foldRevoked(e)
	case *subjects.Started:
		a.assignments.foldStarted(e)
	case *subjects.Paced:
		a.pace.foldPaced(entry.Seq, e)
	case *subjects.Harmed:
		a.harm.foldHarmed(entry.Time, e)
	case *subjects.Identified:
		a.models.foldIdentified(e)
	case *subjects.OutputMissing:
		a.missing.foldMissing(e)
	default:
		a.assignments.foldEnd(entry.Event)
	}
}

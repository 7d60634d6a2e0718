package actor

import "lull/subjects"

// foldReport applies a report of the shell to the state.
func (a *Actor) foldReport(r any) {
	switch r := r.(type) {
	case Adopted:
		if a.launcher.adopted == nil {
			a.launcher.adopted = &r
		}
	case Disk:
		a.changed = a.changed || r.Full != a.full
		a.full = r.Full
	case Guarded:
		a.changed = a.changed || r.Frozen != a.reserve.guarded.Frozen
		a.reserve.guarded = r
	case Relieve:
		a.reserve.relieveNow(r)
	case Leave:
		a.leaving, a.changed = true, true
	case HarmTotals:
		a.harm.latest = &r
	case *subjects.Usage:
		a.reserve.foldSample(r)
	case Identified:
		a.models.noteIdentified(r)
	case Missing:
		a.missing.noteMissing(r)
	case Running:
		if t := a.startedAttempt(r.Attempt); t != nil {
			t.running, t.processStart, t.trace, t.startMark = true, r.At, r.Trace, a.residual.mark
		}
	case Saved:
		if t := a.startedAttempt(r.Attempt); t != nil {
			t.savedMark, a.changed = a.residual.mark, true
		}
	case Exited:
		if t := a.startedAttempt(r.Attempt); t != nil {
			a.vacate(t)
		}
	case Ended:
		if t := a.startedAttempt(r.Attempt); t != nil {
			a.finish(t, &r)
			a.assignments.forgetSettled(t)
		}
	}
}

// startedAttempt returns the attempt if it was started and has not ended, nil otherwise.
func (f *facts) startedAttempt(id uint64) *attempt {
	if t := f.attempt(id); t != nil && t.phase == started {
		return t
	}
	return nil
}

package actor

import "time"

const (
	// maxWait is how long an attempt waits for a slot. What waits is predicted to
	// begin within milliseconds; when what runs takes longer than predicted, the
	// attempt is better off on another host.
	maxWait = 5 * time.Second
	// batchDelay is how long the report of an end may be delayed while enough
	// attempts wait. A batch of several ends costs the log as much as one end, and no
	// slot stays idle for it. The last ends of a job are reported at once, for nothing
	// waits behind them.
	batchDelay = 5 * time.Millisecond
)

// wake returns when the actor must step next without an input: an attempt has waited for too long,
// the report of an end is due, or a pace of an earlier term ends.
func (a *Actor) wake() time.Time {
	if a.first == 0 || a.lost {
		return time.Time{} // nothing begins before it is reconciled, or joined again
	}
	mayDelay, at := a.mayDelay(), a.pace.nextExpiry()
	for _, t := range a.held {
		switch {
		case t.phase == ended && mayDelay:
			at = earlier(at, t.endedAt.Add(batchDelay))
		case t.phase == waiting:
			at = earlier(at, t.assignedAt.Add(maxWait))
		}
	}
	return at
}

// earlier is the earlier of two times; a zero at does not count.
func earlier(at, other time.Time) time.Time {
	if at.IsZero() || other.Before(at) {
		return other
	}
	return at
}

// mayDelay reports whether the events that are owed may wait for more in their batch.
func (a *Actor) mayDelay() bool {
	if a.leaving || a.lost || len(a.missing.outputs) > 0 || !a.enoughWaiting() {
		return false
	}
	for _, t := range a.held {
		late := t.phase == ended && a.now().Sub(t.endedAt) >= batchDelay
		if late || t.running && !t.startLogged {
			return false
		}
	}
	return true
}

// enoughWaiting reports whether more than half of the places ahead are in use. The
// slotter fills them when the log shows that half of them are empty.
func (f *facts) enoughWaiting() bool {
	n := 0
	for _, t := range f.held {
		if t.phase == waiting {
			n++
		}
	}
	return 2*n > int(f.cfg.Ahead)
}

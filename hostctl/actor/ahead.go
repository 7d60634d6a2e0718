package actor

import "time"

const (
	// patience is how long an attempt waits for a slot. What waits is predicted
	// to begin within milliseconds; when what runs takes longer than predicted,
	// it is better off elsewhere.
	patience = 5 * time.Second
	// leisure is how long an end may stay unsaid while enough waits: several
	// ends in one batch cost the log what one does, and as nobody is short of
	// work, none is assigned later for it. The last tasks of a job are said at
	// once, for nothing waits behind them.
	leisure = 5 * time.Millisecond
)

// wake is when something is due that nobody reports: an attempt has waited for
// too long, or an end was unsaid for long enough.
func (a *Actor) wake() time.Time {
	if a.first == 0 || a.lost {
		return time.Time{} // nothing begins before it is settled, or joined again
	}
	unhurried, at := a.unhurried(), a.renewed()
	for _, t := range a.held {
		switch {
		case t.phase == ended && unhurried:
			at = sooner(at, t.over.Add(leisure))
		case t.phase == given:
			at = sooner(at, t.came.Add(patience))
		}
	}
	return at
}

func sooner(at, other time.Time) time.Time {
	if at.IsZero() || other.Before(at) {
		return other
	}
	return at
}

// unhurried reports whether what is owed may wait for more to be said with it.
func (a *Actor) unhurried() bool {
	if a.leaving || a.lost || len(a.missing) > 0 || !a.stocked() {
		return false
	}
	for _, t := range a.held {
		late := t.phase == ended && a.residual.at.Sub(t.over) >= leisure
		if late || t.running && !t.said {
			return false
		}
	}
	return true
}

// stocked reports whether more than half of the places ahead are in use. The
// slotter fills them when it hears that half of them are empty.
func (a *Actor) stocked() bool {
	waiting := 0
	for _, t := range a.held {
		if t.phase == given {
			waiting++
		}
	}
	return 2*waiting > int(a.cfg.Ahead)
}

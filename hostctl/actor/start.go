package actor

import (
	"fmt"

	"lull/actors"
	"lull/subjects"
)

// starts begins what was given, or refuses it with a reason.
func (a *Actor) starts(actions []actors.Action) []actors.Action {
	if a.first == 0 || a.lost {
		return actions
	}
	for _, t := range a.held {
		if t.phase != given {
			continue
		}
		if t.kill != "" {
			t.finish(a, &Ended{Outcome: Evicted, Reason: t.kill})
			continue
		}
		if reason, text := a.refusal(t); reason != "" {
			t.finish(a, &Ended{Outcome: Declined, Reason: reason, Text: text})
			continue
		}
		t.phase, t.since = started, a.residual.mark()
		actions = append(actions, Start{t.task()})
	}
	return actions
}

// refusal says why an attempt cannot start now, "" if it can.
func (a *Actor) refusal(t *attempt) (reason, text string) {
	switch {
	case uint64(t.slot)+uint64(t.width) > uint64(a.cfg.Slots):
		return subjects.ReasonSlot, fmt.Sprintf("the host has slots 0 to %d", int64(a.cfg.Slots)-1)
	case a.paused:
		return subjects.ReasonPaused, "the host is paused"
	case a.drained:
		return subjects.ReasonPaused, "the host is draining"
	case a.leaving:
		return subjects.ReasonPaused, "the host's agent is stopping"
	case a.full:
		return subjects.ReasonDisk, "the disk of the host's data folder is full"
	}
	for _, o := range a.held {
		if o.phase == started && o.overlaps(t) {
			return subjects.ReasonSlot, fmt.Sprintf("slot %d still runs attempt %d", t.slot, o.id)
		}
	}
	return a.unreserved(int(t.width))
}

// finish notes what became of an attempt; it is said with the next decision.
func (t *attempt) finish(a *Actor, end *Ended) {
	t.mean = a.residual.mean(t.since)
	t.phase, t.end, t.running = ended, end, false
	if end.Trace != "" {
		t.trace = end.Trace
	}
}

// report folds what the shell says of its actions.
func (a *Actor) report(r any) {
	switch r := r.(type) {
	case Adopted:
		if a.adopted == nil {
			a.adopted = &r
		}
	case Disk:
		a.changed = a.changed || r.Full != a.full
		a.full = r.Full
	case Leave:
		a.leaving, a.changed = true, true
	case *subjects.Usage:
		a.sample(r)
	case Running:
		if t := a.attempt(r.Attempt); t != nil && t.phase == started {
			t.running, t.at, t.trace, t.since = true, r.At, r.Trace, a.residual.mark()
		}
	case Ended:
		if t := a.attempt(r.Attempt); t != nil && t.phase == started {
			t.finish(a, &r)
		}
	}
}

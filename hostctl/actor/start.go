package actor

import (
	"fmt"
	"time"

	"lull/actors"
	"lull/subjects"
)

// starts begins what was given, in the order of the log, or refuses it with a
// reason. Where no slot is free it waits; nobody overtakes it, or a task of many
// cores would never find them free.
func (a *Actor) starts(actions []actors.Action) []actors.Action {
	if a.first == 0 || a.lost {
		return actions
	}
	busy, queue := a.busy(), false
	for _, t := range a.held {
		if t.phase != given {
			continue
		}
		if end := a.refusal(t); end != nil {
			t.finish(a, end)
			continue
		}
		if queue = queue || busy+int(t.width) > int(a.cfg.Slots); queue {
			a.wait(t, busy)
			continue
		}
		if reason, text := a.unreserved(busy + int(t.width)); reason != "" {
			t.finish(a, declined(reason, text))
			continue
		}
		t.slot, t.since = a.open(), a.residual.mark()
		t.phase = started
		busy += int(t.width)
		actions = append(actions, Start{t.task()})
	}
	return actions
}

// wait leaves an attempt in its place, unless a reserve does not stand: nothing
// more is to start then, and what did not begin has nothing to lose.
func (a *Actor) wait(t *attempt, busy int) {
	reason, text := a.unreserved(busy)
	if waited := a.residual.at.Sub(t.came); reason == "" && waited >= patience {
		reason, text = subjects.ReasonSlot, fmt.Sprintf("no slot was free for %v", waited.Round(time.Millisecond))
	}
	if reason != "" {
		t.finish(a, declined(reason, text))
	}
}

func declined(reason, text string) *Ended {
	return &Ended{Outcome: Declined, Reason: reason, Text: text}
}

// refusal is the end of an attempt that is not to start, nil if it may.
func (a *Actor) refusal(t *attempt) *Ended {
	switch {
	case t.kill != "":
		return &Ended{Outcome: Evicted, Reason: t.kill}
	case !a.offers(t.place, t.width):
		return declined(subjects.ReasonSlot, fmt.Sprintf("the host has slots 0 to %d and %d places ahead", int64(a.cfg.Slots)-1, a.cfg.Ahead))
	case a.paused:
		return declined(subjects.ReasonPaused, "the host is paused")
	case a.drained:
		return declined(subjects.ReasonPaused, "the host is draining")
	case a.leaving:
		return declined(subjects.ReasonPaused, "the host's agent is stopping")
	case a.full:
		return declined(subjects.ReasonDisk, "the disk of the host's data folder is full")
	}
	for _, o := range a.held {
		if o.id < t.id && o.phase != ended && o.overlaps(t) {
			return declined(subjects.ReasonSlot, fmt.Sprintf("slot %d is still taken by attempt %d", t.place, o.id))
		}
	}
	return nil
}

// offers reports whether the host has the slots, or the place ahead.
func (a *Actor) offers(place, width uint32) bool {
	last := uint64(a.cfg.Slots)
	if width == 1 {
		last += uint64(a.cfg.Ahead)
	}
	return uint64(place)+uint64(width) <= last
}

// exit notes that an attempt leaves its slot to the next one.
func (t *attempt) exit(a *Actor) {
	if !t.exited {
		t.exited, t.mean = true, a.residual.mean(t.since)
	}
}

// finish notes what became of an attempt; it is said with the next decision.
func (t *attempt) finish(a *Actor, end *Ended) {
	t.exit(a)
	t.phase, t.end, t.running, t.over = ended, end, false, a.residual.at
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
	case Guarded:
		a.guarded = r
	case Relieve:
		a.yield(r)
	case Leave:
		a.leaving, a.changed = true, true
	case Suffered:
		a.harm.latest = &r
	case *subjects.Usage:
		a.sample(r)
	case Identified:
		a.learn(r)
	case Missing:
		a.miss(r)
	case Running:
		if t := a.attempt(r.Attempt); t != nil && t.phase == started {
			t.running, t.at, t.trace, t.since = true, r.At, r.Trace, a.residual.mark()
		}
	case Exited:
		if t := a.attempt(r.Attempt); t != nil && t.phase == started {
			t.exit(a)
		}
	case Ended:
		if t := a.attempt(r.Attempt); t != nil && t.phase == started {
			t.finish(a, &r)
		}
	}
}

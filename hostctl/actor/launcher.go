package actor

import (
	"fmt"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/humane"
	"lull/subjects/spec"
)

// launcher starts the attempts that were assigned, or refuses them.
type launcher struct {
	*facts
	reserve *reserve
	adopted *Adopted // what the shims held when the agent started; nil until reported
}

// startWaiting starts the attempts that wait, in the order of the log, or refuses them
// with a reason. Where no slot is free they wait. None overtakes another, or a task
// of many cores would never find enough slots free.
func (l *launcher) startWaiting(actions []actors.Action) []actors.Action {
	if l.first == 0 || l.lost {
		return actions
	}
	busy, queue := l.busy(), false
	for _, t := range l.held {
		if t.phase != waiting {
			continue
		}
		if end := l.refusal(t); end != nil {
			l.finish(t, end)
			continue
		}
		then := busy + l.extraSlots(t)
		if queue = queue || then > int(l.cfg.Slots); queue {
			l.keepWaiting(t, busy)
			continue
		}
		if reason, text := l.reserve.violation(then); reason != "" {
			l.finish(t, declined(reason, text))
			continue
		}
		t.slot, t.startMark = l.freeSlot(), l.residual.mark
		t.phase = started
		busy = then
		actions = append(actions, Start{t.task()})
	}
	return actions
}

// keepWaiting leaves an attempt in its place, unless it has waited for too long or a reserve is
// violated. While a reserve is violated nothing may start, and an attempt that has not begun loses
// nothing.
func (l *launcher) keepWaiting(t *attempt, busy int) {
	reason, text := l.reserve.violation(busy)
	if waited := l.now().Sub(t.assignedAt); reason == "" && waited >= maxWait {
		reason, text = subjects.ReasonSlot, "no slot was free for "+humane.Span(waited)
	}
	if reason != "" {
		l.finish(t, declined(reason, text))
	}
}

func declined(reason, text string) *Ended {
	return &Ended{Outcome: Declined, Reason: reason, Text: text}
}

// refusal is the end of an attempt that is not to start, nil if it may.
func (l *launcher) refusal(t *attempt) *Ended {
	switch {
	case t.endReason != "":
		return &Ended{Outcome: Evicted, Reason: t.endReason}
	case !l.offers(t):
		return declined(subjects.ReasonSlot, fmt.Sprintf("the host has slots 0 to %d and %d places ahead", int64(l.cfg.Slots)-1, l.cfg.Ahead))
	case l.paused:
		return declined(subjects.ReasonPaused, "the host is paused")
	case l.drained:
		return declined(subjects.ReasonPaused, "the host is draining")
	case l.leaving:
		return declined(subjects.ReasonPaused, "the host's agent is stopping")
	case l.full:
		return declined(subjects.ReasonDisk, "the disk of the host's data folder is full")
	}
	taken := t.part
	for _, o := range l.held {
		if o.id >= t.id || o.phase == ended {
			continue
		}
		if o.shares(t) {
			taken += o.part
		}
		if o.overlaps(t) || taken > uint32(spec.Core) {
			return declined(subjects.ReasonSlot, fmt.Sprintf("slot %d is still taken by attempt %d", t.firstSlot, o.id))
		}
	}
	return nil
}

// offers reports whether the host has the slots, or the place ahead.
func (l *launcher) offers(t *attempt) bool {
	last := uint64(l.cfg.Slots)
	if t.width == 1 && t.part == 0 {
		last += uint64(l.cfg.Ahead)
	}
	return uint64(t.firstSlot)+uint64(t.width) <= last
}

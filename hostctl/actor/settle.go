package actor

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// settle compares, once, what the shims held when this process began with what
// the log says. What runs goes on; what nobody waits for is dropped; and what
// an earlier process was given but the shims know nothing of has vanished.
func (a *Actor) settle(actions []actors.Action) []actors.Action {
	if a.adopted == nil || a.first != 0 {
		return actions
	}
	a.first = a.term
	for _, h := range a.adopted.Attempts {
		if t := a.attempt(h.Attempt); t != nil {
			t.phase, t.slot, t.since = started, h.Slot, a.residual.mark()
			actions = append(actions, Adopt{t.task()})
		} else {
			actions = append(actions, Drop{h.Attempt})
		}
	}
	for _, t := range a.held {
		if t.phase == given && t.id < a.first {
			t.finish(a, &Ended{Outcome: Evicted, Reason: subjects.ReasonVanished})
		}
	}
	return actions
}

// gate freezes and thaws. The first word of a process is always said: tasks may
// have been left frozen by an earlier one.
func (a *Actor) gate(actions []actors.Action) []actors.Action {
	switch {
	case a.paused && a.frozen != yes:
		a.frozen = yes
		return append(actions, Freeze{})
	case !a.paused && a.frozen != no:
		a.frozen = no
		return append(actions, Thaw{})
	}
	return actions
}

// frozen is what the shell was told last.
type frozen uint8

const (
	unknown frozen = iota
	no
	yes
)

func (a *Actor) kills(actions []actors.Action) []actors.Action {
	for _, t := range a.held {
		if a.leaving && !a.cfg.Stay && t.phase == started && t.kill == "" {
			t.kill = subjects.ReasonPaused
		}
		if t.kill != "" && !t.killed && t.phase == started {
			t.killed = true
			actions = append(actions, Kill{t.id, t.kill, t.atOnce})
		}
	}
	return actions
}

func (a *Actor) forgets(actions []actors.Action) []actors.Action {
	for _, f := range a.forget {
		actions = append(actions, f)
	}
	a.forget = a.forget[:0]
	return actions
}

// depart ends the agent when Left stands in the log, and asks for a new term
// when the host was declared lost.
func (a *Actor) depart(actions []actors.Action) []actors.Action {
	if a.left && a.leaving && !a.departed {
		a.departed = true
		actions = append(actions, Gone{})
	}
	if a.lost && !a.rejoined && !a.leaving {
		a.rejoined = true
		actions = append(actions, Rejoin{})
	}
	return actions
}

// owes reports whether anything is still to be said of what is held. Tasks that
// stay when the agent goes are the next agent's to speak of.
func (a *Actor) owes() bool {
	return slices.ContainsFunc(a.held, func(t *attempt) bool { return t.phase != started || !a.cfg.Stay })
}

package actor

import (
	"lull/actors"
	"lull/subjects"
)

// reconcile compares, once a process, what the shims held when it began with what
// the log says. An attempt that both know goes on. One that only a shim knows is
// dropped. One that was assigned to an earlier process and that no shim knows has
// vanished.
func (l *launcher) reconcile(actions []actors.Action) []actors.Action {
	if l.adopted == nil || l.first != 0 {
		return actions
	}
	l.first = l.term
	for _, h := range l.adopted.Attempts {
		if t := l.attempt(h.Attempt); t != nil {
			t.phase, t.slot, t.startMark = started, h.Slot, l.residual.mark
			actions = append(actions, Adopt{t.task()})
		} else {
			actions = append(actions, Drop{h.Attempt})
		}
	}
	for _, t := range l.held {
		if t.phase == waiting && t.id < l.first {
			l.finish(t, &Ended{Outcome: Evicted, Reason: subjects.ReasonVanished})
		}
	}
	return actions
}

package hostctl

import (
	"lull/actors"
	"lull/hostctl/actor"
	"lull/hostctl/slots"
)

// perform carries out what the actor decided. It never waits.
func (a *Agent) perform(action actors.Action) {
	switch act := action.(type) {
	case actor.Start:
		a.attempts.Start(act.Task)
	case actor.Adopt:
		a.attempts.Adopt(act.Task)
	case actor.Kill:
		a.attempts.Kill(act.Attempt, act.Reason, act.AtOnce)
	case actor.Drop:
		a.attempts.Drop(act.Attempt)
	case actor.Know:
		a.know(act)
	case actor.Pace:
		a.pace(act)
	case actor.Forget:
		a.attempts.Forget(act.Task, act.Committed)
	case actor.Freeze:
		a.freezer.Set(slots.ByPool, true)
	case actor.Thaw:
		a.freezer.Set(slots.ByPool, false)
	case actor.Hold:
		a.once.Do(func() { close(a.ready) })
		beat := act.Beat
		beat.Boot = a.boot
		a.beats.Set(beat)
	case actor.Rejoin:
		a.cfg.Logger.Warn("the pool gave this host up for lost; joining again")
		a.rejoin.Raise()
	case actor.Gone:
		a.gone.Raise()
	}
}

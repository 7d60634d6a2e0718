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
		a.start(act.Task)
	case actor.Adopt:
		a.claim(act.Task)
	case actor.Kill:
		a.kill(act)
	case actor.Drop:
		a.drop(act.Attempt)
	case actor.Know:
		a.know(act)
	case actor.Pace:
		a.pace(act)
	case actor.Forget:
		a.forget(act)
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
		notify(a.rejoin)
	case actor.Gone:
		notify(a.gone)
	}
}

func notify(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

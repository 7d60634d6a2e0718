package hostctl

import (
	"math"

	"lull/actors"
	"lull/hostctl/actor"
	"lull/hostctl/pace"
	"lull/hostctl/pacing"
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
		a.attempts.Kill(act.Attempt, act.Reason, act.Urgency)
	case actor.Drop:
		a.attempts.Drop(act.Attempt)
	case actor.KnownModel:
		giveModel(a.pacer, act)
	case actor.Pace:
		a.attempts.Pace(act)
	case actor.Forget:
		a.attempts.Forget(act.Task, act.Committed)
	case actor.Freeze:
		a.freezer.Set(slots.ByPool, true)
	case actor.Thaw:
		a.freezer.Set(slots.ByPool, false)
	case actor.SetBeat:
		a.once.Do(func() { close(a.ready) })
		beat := act.Beat
		beat.Boot = a.boot
		a.beats.Set(beat)
	case actor.Rejoin:
		a.cfg.Logger.Warn("the pool declared this host lost; joining again")
		a.rejoin.Raise()
	case actor.Gone:
		a.gone.Raise()
	}
}

// giveModel gives the pacer what an earlier process of this host learnt. It leaves out what was learnt
// from samples of another length, which have another a.
func giveModel(p *pacing.Pacer, k actor.KnownModel) {
	if math.Abs(k.Sample-pace.Sample.Seconds()) < 1e-6 {
		p.AddModel(k.Model, pace.Model{A: k.A, B: k.B, R2: k.R2, Samples: int(k.Samples)})
	}
}

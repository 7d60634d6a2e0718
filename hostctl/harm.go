package hostctl

import "lull/hostctl/actor"

// suffer reports what batch work gave and took so far.
func (a *Agent) suffer() {
	if a.cfg.Harm != nil {
		a.report(a.cfg.Harm())
	}
}

// newActor is the host's actor for the next term. It goes on where that of the
// last one stood, whose shell has ended.
func (a *Agent) newActor(cfg actor.Config) *actor.Actor {
	if a.actor != nil {
		cfg.Reckoned = a.actor.Reckoned()
	}
	a.actor = actor.New(cfg)
	return a.actor
}

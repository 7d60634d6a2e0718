package chaos

import (
	"context"
	"time"

	"lull/sim"
)

// patience is how long after the last fault every job must have ended. It is longer than the
// time for which a slotter blames itself when many hosts fall silent, and than all the jobs' work on one
// host.
const patience = 8 * time.Hour

// Run runs a script. The error says what went wrong that must not.
func Run(ctx context.Context, script *Script) (*sim.Result, Coverage, error) {
	r, c, err := watched(ctx, script)
	if err != nil {
		return nil, c.coverage, err
	}
	return r, c.coverage, c.checkEnd(r)
}

// watched runs a script. The watcher has checked each entry, and not yet the end.
func watched(ctx context.Context, script *Script) (*sim.Result, *watcher, error) {
	s := drawPool(script.Seed)
	c := newWatcher(&s)
	p := &plan{script: script, watcher: c}
	for _, h := range s.Hosts {
		p.hosts = append(p.hosts, h.Name)
	}
	s.Faults, s.Watch = p, c.checkEntry
	s.Until = max(script.end(), s.Jobs[len(s.Jobs)-1].At) + patience
	r, err := sim.Run(ctx, s)
	return r, c, err
}

// Shorten drops the steps that a failure does not need, one by one.
func Shorten(ctx context.Context, script *Script) *Script {
	for again := true; again; {
		again = false
		for i := len(script.Steps) - 1; i >= 0; i-- {
			shorter := &Script{Seed: script.Seed}
			shorter.Steps = append(append(shorter.Steps, script.Steps[:i]...), script.Steps[i+1:]...)
			if _, _, err := Run(ctx, shorter); err != nil {
				script, again = shorter, true
			}
		}
	}
	return script
}

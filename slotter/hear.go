package slotter

import (
	"lull/subjects"
	"lull/subjects/tct"
)

// eligible reports whether the host may be given tasks now.
func (a *Actor) eligible(h *host) bool {
	return h.life.Open() && !h.held && h.usageAt != 0 &&
		a.now-h.usageAt <= int64(a.cfg.Stale) && a.silence(h) <= int64(a.cfg.Silence)
}

// hear takes a sample of telemetry in.
func (a *Actor) hear(sample subjects.Telemetry) {
	switch s := sample.(type) {
	case *subjects.Usage:
		if h := a.hosts.of[s.Host]; h != nil {
			a.usage(h, s)
		}
	case *subjects.Beat:
		if h := a.hosts.of[s.Host]; h != nil && h.life.Term == s.Term {
			a.beat(h, s)
		}
	}
}

// usage notes what the host's primary leaves idle. Only a change that its next
// task would feel calls for a round. Most samples say what the last one did.
func (a *Actor) usage(h *host, u *subjects.Usage) {
	if a.eligible(h) && u.Idle <= h.idle && u.Idle >= h.idle {
		h.usageAt = a.now
		h.outlook.hear(u.Idle, a.now)
		return
	}
	before, stale := h.steps(), !a.eligible(h)
	h.idle, h.usageAt = u.Idle, a.now
	h.outlook.hear(u.Idle, a.now)
	if stale || h.steps() != before {
		a.hosts.mark(h)
		a.due.slots = true
	}
	if h.offer() != h.offered {
		a.hosts.mark(h) // what the pool offers is another, which calls for nothing
		a.pacing.due = true
	}
}

// steps are the residuals, as models see them, of the slots that are busy and
// of one more; 0 for one that is too little to run on.
func (h *host) steps() [2]int {
	return [2]int{usable(h.residual(0)), usable(h.residual(1))}
}

func usable(residual float64) int {
	if residual < tct.MinResidual {
		return 0
	}
	return tct.Step(residual)
}

func (a *Actor) beat(h *host, b *subjects.Beat) {
	held := b.Paused || b.Full
	if held != h.held || a.silence(h) > int64(a.cfg.Silence) {
		a.due.slots = true
	}
	h.held, h.beatAt = held, a.now
	a.compare(h, b)
}

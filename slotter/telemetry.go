package slotter

import (
	"lull/subjects"
)

// handleSample takes in a sample of telemetry.
func (a *Actor) handleSample(sample subjects.Telemetry) {
	switch s := sample.(type) {
	case *subjects.Usage:
		if h := a.facts.hosts.of[s.Host]; h != nil {
			a.handleUsage(h, s)
			h.heard.usage = s
		}
	case *subjects.Speeds:
		if h := a.facts.hosts.of[s.Host]; h != nil {
			h.heard.speeds, h.heard.speedsAt = s.Tasks, a.facts.now
		}
	case *subjects.Beat:
		if h := a.facts.hosts.of[s.Host]; h != nil && h.life.Term == s.Term {
			a.handleBeat(h, s)
		}
	}
}

// handleUsage notes what the host's primary leaves idle. Most samples say what the last
// one did. Only a change that the host's next task would notice calls for a round.
func (a *Actor) handleUsage(h *host, u *subjects.Usage) {
	if h.followReserve(u) {
		a.facts.hosts.mark(h)
		a.facts.due.slots = true
		a.pacer.Changed()
	}
	if a.facts.eligible(h) && u.Idle <= h.idle && u.Idle >= h.idle {
		h.usageAt = a.facts.now
		h.outlook.Add(u.Idle, a.facts.now)
		return
	}
	before, stale := h.steps(), !a.facts.eligible(h)
	h.idle, h.usageAt = u.Idle, a.facts.now
	h.outlook.Add(u.Idle, a.facts.now)
	if stale || h.steps() != before {
		a.facts.hosts.mark(h)
		a.facts.due.slots = true
	}
	if h.offer() != h.offered {
		a.facts.hosts.mark(h) // the pool offers something else now, which alone calls for nothing
		a.pacer.Changed()
	}
}

// handleBeat notes that the host is alive, and compares what it holds with the ledger.
func (a *Actor) handleBeat(h *host, b *subjects.Beat) {
	held := b.Paused || b.Full || b.Frozen
	if held != h.held || a.facts.silent(h) {
		a.facts.due.slots = true
	}
	h.held, h.beatAt, h.saved = held, a.facts.now, b.Saved
	a.reconciler.compare(h, b)
}

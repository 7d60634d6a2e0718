package slotter

import (
	"lull/subjects"
	"lull/subjects/room"
	"lull/subjects/tct"
)

// silence returns the time since the host's last heartbeat. It counts from the slotter's own lead
// at the earliest: before that, the slotter received none.
func (f *facts) silence(h *host) int64 { return f.now - f.lastBeat(h) }

func (f *facts) lastBeat(h *host) int64 { return max(h.beatAt, h.life.Since, f.led) }

// beat returns the time of the last heartbeat of the host of a name, 0 for an unknown one.
func (f *facts) beat(name string) int64 {
	h := f.hosts.of[name]
	if h == nil {
		return 0
	}
	return f.lastBeat(h)
}

// silent reports whether the host has sent no heartbeat for longer than Config.Silence.
func (f *facts) silent(h *host) bool { return f.silence(h) > int64(f.cfg.Silence) }

// eligible reports whether the host may be given tasks now.
func (f *facts) eligible(h *host) bool {
	return h.life.Open() && !h.held && !h.meter.Short && !h.broken && h.usageAt != 0 &&
		f.now-h.usageAt <= int64(f.cfg.Stale) && !f.silent(h)
}

// handleSample takes in a sample of telemetry.
func (a *Actor) handleSample(sample subjects.Telemetry) {
	switch s := sample.(type) {
	case *subjects.Usage:
		if h := a.hosts.of[s.Host]; h != nil {
			a.handleUsage(h, s)
			h.heard.usage = s
		}
	case *subjects.Speeds:
		if h := a.hosts.of[s.Host]; h != nil {
			h.heard.speeds, h.heard.speedsAt = s.Tasks, a.now
		}
	case *subjects.Beat:
		if h := a.hosts.of[s.Host]; h != nil && h.life.Term == s.Term {
			a.handleBeat(h, s)
		}
	}
}

// handleUsage notes what the host's primary leaves idle. Most samples say what the last
// one did. Only a change that the host's next task would notice calls for a round.
func (a *Actor) handleUsage(h *host, u *subjects.Usage) {
	if h.followReserve(u) {
		a.hosts.mark(h)
		a.due.slots = true
		a.pacer.Changed()
	}
	if a.eligible(h) && u.Idle <= h.idle && u.Idle >= h.idle {
		h.usageAt = a.now
		h.outlook.Add(u.Idle, a.now)
		return
	}
	before, stale := h.steps(), !a.eligible(h)
	h.idle, h.usageAt = u.Idle, a.now
	h.outlook.Add(u.Idle, a.now)
	if stale || h.steps() != before {
		a.hosts.mark(h)
		a.due.slots = true
	}
	if h.offer() != h.offered {
		a.hosts.mark(h) // the pool offers something else now, which alone calls for nothing
		a.pacer.Changed()
	}
}

// followReserve takes in what the host's reserve reckons with, and reports whether it allows
// batch work more or less than before. The host itself reckons alike, and declines what it
// does not allow.
func (h *host) followReserve(u *subjects.Usage) (changed bool) {
	allowed, short, broken := h.allowed(), h.meter.Short, h.broken
	h.meter.Add(room.Of(&h.life.Joined), u)
	h.broken = false
	return broken || h.allowed() != allowed || h.meter.Short != short
}

// noteBroken notes that a host took a slot back, or refused one, for the sake of a reserve that
// it announced. The sample which shows the reason may come later than that. Until then it is not
// known what the reserve allows.
func (s *hosts) noteBroken(name, reason string) {
	if h := s.of[name]; h != nil && reason == subjects.ReasonReserve {
		kept := room.Of(&h.life.Joined)
		h.broken = kept.CPU > 0 || kept.Memory > 0
	}
}

// steps returns the residuals, as models see them, of the busy slots and of one more; 0 for one
// that is too little to run on.
func (h *host) steps() [2]int {
	return [2]int{usableStep(h.residual(0)), usableStep(h.residual(1))}
}

func usableStep(residual float64) int {
	if residual < tct.MinResidual {
		return 0
	}
	return tct.Step(residual)
}

// handleBeat notes that the host is alive, and compares what it holds with the ledger.
func (a *Actor) handleBeat(h *host, b *subjects.Beat) {
	held := b.Paused || b.Full || b.Frozen
	if held != h.held || a.silent(h) {
		a.due.slots = true
	}
	h.held, h.beatAt, h.saved = held, a.now, b.Saved
	a.reconciler.compare(h, b)
}

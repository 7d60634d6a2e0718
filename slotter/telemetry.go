package slotter

import (
	"lull/slotter/facts"
	"lull/subjects"
)

// handleSample takes in a sample of telemetry.
func (a *Actor) handleSample(sample subjects.Telemetry) {
	switch s := sample.(type) {
	case *subjects.Usage:
		if h := a.facts.Hosts.Of[s.Host]; h != nil {
			a.handleUsage(h, s)
			h.Reported.Usage = s
		}
	case *subjects.Speeds:
		if h := a.facts.Hosts.Of[s.Host]; h != nil {
			h.Reported.Speeds, h.Reported.SpeedsAt = s.Tasks, a.facts.Now
		}
	case *subjects.Beat:
		if h := a.facts.Hosts.Of[s.Host]; h != nil && h.Life.Term == s.Term {
			a.handleBeat(h, s)
		}
	}
}

// handleUsage notes what the host's primary leaves idle. Most samples say what the last
// one did. Only a change that the host's next task would notice calls for a round.
func (a *Actor) handleUsage(h *facts.Host, u *subjects.Usage) {
	if h.FollowReserve(u) {
		a.facts.Hosts.Touch(h)
		a.facts.Due.Slots = true
		a.pacer.NoteChange()
	}
	if a.facts.Eligible(h) && u.Idle <= h.Idle && u.Idle >= h.Idle {
		h.UsageAt = a.facts.Now
		h.Outlook.Add(u.Idle, a.facts.Now)
		return
	}
	before, stale := h.Steps(), !a.facts.Eligible(h)
	h.Idle, h.UsageAt = u.Idle, a.facts.Now
	h.Outlook.Add(u.Idle, a.facts.Now)
	if stale || h.Steps() != before {
		a.facts.Hosts.Touch(h)
		a.facts.Due.Slots = true
	}
	if h.Offer() != h.Offered {
		a.facts.Hosts.Touch(h) // the pool offers something else now, which alone calls for nothing
		a.pacer.NoteChange()
	}
}

// handleBeat notes that the host is alive, and compares what it holds with the ledger.
func (a *Actor) handleBeat(h *facts.Host, b *subjects.Beat) {
	held := b.Paused || b.Full || b.Frozen
	if held != h.StartsNothing || a.facts.Silent(h) {
		a.facts.Due.Slots = true
	}
	h.StartsNothing, h.BeatAt, h.Saved = held, a.facts.Now, b.Saved
	a.reconciler.Compare(h, b)
}

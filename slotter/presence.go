package slotter

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

package facts

// Silence returns the time since the host's last heartbeat. It counts from the slotter's own lead
// at the earliest: before that, the slotter received none.
func (f *Facts) Silence(h *Host) int64 { return f.Now - f.lastBeat(h) }

func (f *Facts) lastBeat(h *Host) int64 { return max(h.BeatAt, h.Life.Since, f.Led) }

// Beat returns the time of the last heartbeat of the host of a name, 0 for an unknown one.
func (f *Facts) Beat(name string) int64 {
	h := f.Hosts.Of[name]
	if h == nil {
		return 0
	}
	return f.lastBeat(h)
}

// Silent reports whether the host has sent no heartbeat for longer than Config.Silence.
func (f *Facts) Silent(h *Host) bool { return f.Silence(h) > int64(f.Config.Silence) }

// Eligible reports whether the host may be given tasks now.
func (f *Facts) Eligible(h *Host) bool {
	return h.Life.Open() && !h.StartsNothing && !h.meter.Short && !h.ReserveBroken && h.UsageAt != 0 &&
		f.Now-h.UsageAt <= int64(f.Config.Stale) && !f.Silent(h)
}

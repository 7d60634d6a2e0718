package slotter

import (
	"iter"
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// heard is what a host published last. No decision depends on it. It answers people's questions at
// once, before the next sample.
type heard struct {
	usage    *subjects.Usage
	speeds   []subjects.Speed
	speedsAt int64
}

// heardAfter yields what the hosts after one, by name, published of late.
func (f *facts) heardAfter(host string) iter.Seq[subjects.HostUsage] {
	return func(yield func(subjects.HostUsage) bool) {
		for _, name := range slices.Sorted(maps.Keys(f.hosts.of)) {
			h := f.hosts.of[name]
			if name <= host || !f.current(h) {
				continue
			}
			u := subjects.HostUsage{Host: name, Usage: h.heard.usage, Tasks: f.speeds(h)}
			if !yield(u) {
				return
			}
		}
	}
}

// current reports whether the host published its usage of late.
func (f *facts) current(h *host) bool {
	return !h.life.Gone && h.heard.usage != nil && f.now-h.usageAt <= int64(f.cfg.Stale)
}

// speeds are how fast the host's tasks read, if it published that of late.
func (f *facts) speeds(h *host) []subjects.Speed {
	if f.now-h.heard.speedsAt > int64(f.cfg.Stale) {
		return nil
	}
	return h.heard.speeds
}

// speed is how fast an attempt reads, if its host published that of late.
func (f *facts) speed(at *ledger.Attempt) (rate float64, heard bool) {
	h := f.hosts.of[at.Host.Name]
	if h == nil || !f.current(h) {
		return 0, false
	}
	speeds := f.speeds(h)
	i := slices.IndexFunc(speeds, func(s subjects.Speed) bool { return s.Attempt == at.ID })
	if i < 0 {
		return 0, false
	}
	return speeds[i].Rate, true
}

package facts

import (
	"iter"
	"maps"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// reported is what a host published last. No decision depends on it. It answers people's questions at
// once, before the next sample.
type reported struct {
	Usage    *subjects.Usage
	Speeds   []subjects.Speed
	SpeedsAt int64
}

// ReportedAfter yields what the hosts after one, by name, published of late.
func (f *Facts) ReportedAfter(host string) iter.Seq[subjects.HostUsage] {
	return func(yield func(subjects.HostUsage) bool) {
		for _, name := range slices.Sorted(maps.Keys(f.Hosts.Of)) {
			h := f.Hosts.Of[name]
			if name <= host || !f.current(h) {
				continue
			}
			u := subjects.HostUsage{Host: name, Usage: h.Reported.Usage, Tasks: f.speeds(h)}
			if !yield(u) {
				return
			}
		}
	}
}

// current reports whether the host published its usage of late.
func (f *Facts) current(h *Host) bool {
	return !h.Life.Gone && h.Reported.Usage != nil && f.Now-h.UsageAt <= int64(f.Config.Stale)
}

// speeds are how fast the host's tasks read, if it published that of late.
func (f *Facts) speeds(h *Host) []subjects.Speed {
	if f.Now-h.Reported.SpeedsAt > int64(f.Config.Stale) {
		return nil
	}
	return h.Reported.Speeds
}

// Speed is how fast an attempt reads, if its host published that of late.
func (f *Facts) Speed(at *ledger.Attempt) (rate float64, known bool) {
	h := f.Hosts.Of[at.Host.Name]
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

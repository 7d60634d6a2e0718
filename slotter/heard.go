package slotter

import (
	"iter"
	"maps"
	"slices"

	"lull/subjects"
)

// heard is what a host published last. No decision rests on it: people ask for it, and need
// not wait for the next sample.
type heard struct {
	usage    *subjects.Usage
	speeds   []subjects.Speed
	speedsAt int64
}

// heardAfter yields what the hosts after one, by name, published of late.
func (a *Actor) heardAfter(host string) iter.Seq[subjects.HostUsage] {
	return func(yield func(subjects.HostUsage) bool) {
		for _, name := range slices.Sorted(maps.Keys(a.hosts.of)) {
			h := a.hosts.of[name]
			if name <= host || h.life.Gone || h.heard.usage == nil || a.now-h.usageAt > int64(a.cfg.Stale) {
				continue
			}
			u := subjects.HostUsage{Host: name, Usage: h.heard.usage}
			if a.now-h.heard.speedsAt <= int64(a.cfg.Stale) {
				u.Tasks = h.heard.speeds
			}
			if !yield(u) {
				return
			}
		}
	}
}

package actor

import (
	"fmt"
	"math"

	"lull/subjects"
)

// calm is how many samples in a row must be lower before fewer cores are
// counted as the primary's: a burst is felt at once, its end after ten seconds,
// so that tasks are not started into every short lull of a busy primary.
const calm = 10

// reserve guards what is kept back for the primary.
type reserve struct {
	samples uint64
	victim  uint64 // attempt being evicted for it, 0 for none
	resume  uint64 // no eviction before this sample
	short   bool   // memory fell below the reserve and is not well above it yet
	free    int64  // available memory of the last sample
	primary int    // cores counted as the primary's
	lower   int    // samples in a row that asked for fewer
}

// sample folds the host's own telemetry.
func (a *Actor) sample(s subjects.Telemetry) {
	u, ok := s.(*subjects.Usage)
	if !ok || u.Host != a.cfg.Host {
		return
	}
	a.residual.idle, a.residual.seen = u.Idle, true
	a.reserve.note(u, a.cfg.ReserveMemory)
	a.relieve()
	a.changed = true // heartbeats are to name how far the log was read
}

func (r *reserve) note(u *subjects.Usage, memory int64) {
	r.samples++
	r.free = u.MemoryFree
	r.short = u.MemoryFree < memory || (r.short && u.MemoryFree < memory+memory/4)
	cores := int(math.Ceil(u.Primary))
	if cores >= r.primary {
		r.primary, r.lower = cores, 0
	} else if r.lower++; r.lower >= calm {
		r.primary, r.lower = cores, 0
	}
}

// relieve evicts while the reserve does not stand. It takes one at a time, and
// waits until a sample shows what the last eviction gave back.
func (a *Actor) relieve() {
	r := &a.reserve
	if a.relieves() {
		r.resume = r.samples + 2 // the sample after its end may be older than it
		return
	}
	if r.samples < r.resume || !a.breached() {
		return
	}
	_, why := a.unreserved(a.busy())
	a.evict(why, r.free < a.cfg.ReserveMemory)
}

func (a *Actor) breached() bool {
	return a.reserve.free < a.cfg.ReserveMemory || (!a.paused && !a.fits(a.busy()))
}

// fits reports whether the CPU reserve stands with so many slots in use.
func (a *Actor) fits(busy int) bool {
	return a.cfg.ReserveCPU == 0 || a.reserve.primary+busy+int(a.cfg.ReserveCPU) <= int(a.cfg.Cores)
}

// unreserved says which reserve would not stand with so many slots in use.
func (a *Actor) unreserved(busy int) (reason, text string) {
	if reason, text = a.stopped(); reason != "" {
		return reason, text
	}
	switch {
	case a.reserve.samples == 0:
		return "", ""
	case a.reserve.short:
		return subjects.ReasonReserve, fmt.Sprintf("%d MB of memory are available, %d MB are kept for the primary",
			a.reserve.free>>20, a.cfg.ReserveMemory>>20)
	case !a.fits(busy):
		return subjects.ReasonReserve, fmt.Sprintf("the primary uses up to %d of %d cores, %d more are kept for it",
			a.reserve.primary, a.cfg.Cores, a.cfg.ReserveCPU)
	}
	return "", ""
}

package actor

import (
	"fmt"
	"math"

	"lull/subjects"
)

// lowerSamples is how many samples in a row must be lower before fewer cores are
// counted as the primary's. The start of a burst counts at once, its end only after
// ten seconds, so that tasks are not started into every short pause of a busy primary.
const lowerSamples = 10

// reserve keeps CPU and memory free for the primary. It evicts tasks and prevents
// starts.
type reserve struct {
	*facts
	reserveState
	guarded Guarded
}

// reserveState is what samples and evictions say of the reserve.
type reserveState struct {
	samples uint64
	victim  uint64 // attempt being evicted for it, 0 for none
	resume  uint64 // no eviction before this sample
	short   bool   // memory fell below the reserve and is not well above it yet
	free    int64  // available memory of the last sample
	primary int    // cores counted as the primary's
	lower   int    // samples in a row that asked for fewer
}

// foldSample folds the host's own telemetry.
func (r *reserve) foldSample(s subjects.Telemetry) {
	u, ok := s.(*subjects.Usage)
	if !ok || u.Host != r.cfg.Host {
		return
	}
	r.residual.idle, r.residual.seen = u.Idle, true
	r.update(u, r.cfg.ReserveMemory)
	r.evictIfViolated()
	r.changed = true // the next heartbeat names how far the log was read
}

func (r *reserveState) update(u *subjects.Usage, memory int64) {
	r.samples++
	r.free = u.MemoryFree
	r.short = u.MemoryFree < memory || (r.short && u.MemoryFree < memory+memory/4)
	cores := int(math.Ceil(u.Primary))
	if cores >= r.primary {
		r.primary, r.lower = cores, 0
	} else if r.lower++; r.lower >= lowerSamples {
		r.primary, r.lower = cores, 0
	}
}

// changedBy reports whether the sample would change the state.
func (r *reserveState) changedBy(u *subjects.Usage) bool {
	return r.samples < r.resume || r.lower > 0 || u.MemoryFree != r.free || int(math.Ceil(u.Primary)) != r.primary
}

// evictIfViolated evicts while the reserve is violated. It evicts one task at a time,
// and waits until a sample shows what the last eviction freed.
func (r *reserve) evictIfViolated() {
	if r.evicting() {
		r.resume = r.samples + 2 // the sample after its end may be older than it
		return
	}
	if r.samples < r.resume || !r.violated() {
		return
	}
	_, why := r.violation(r.busy())
	r.evict(why, r.free < r.cfg.ReserveMemory)
}

// evicting reports whether a task is being evicted for the reserve.
func (r *reserve) evicting() bool {
	t := r.attempt(r.victim)
	return t != nil && t.occupies()
}

// violated reports whether less is free for the primary than the reserve asks for.
func (r *reserve) violated() bool {
	return r.free < r.cfg.ReserveMemory || (!r.paused && !r.allows(r.busy()))
}

// allows reports whether the CPU reserve stays free with so many slots in use.
func (r *reserve) allows(busy int) bool {
	return r.cfg.ReserveCPU == 0 || r.primary+busy+int(r.cfg.ReserveCPU) <= int(r.cfg.Cores)
}

// violation says why nothing may start if so many slots are in use then; "" if it may.
func (r *reserve) violation(busy int) (reason, text string) {
	switch {
	case r.guarded.Frozen:
		return subjects.ReasonReserve, r.guarded.Why
	case r.samples == 0:
		return "", ""
	case r.short:
		return subjects.ReasonReserve, fmt.Sprintf("%d MB of memory are available, %d MB are kept for the primary",
			r.free>>20, r.cfg.ReserveMemory>>20)
	case !r.allows(busy):
		return subjects.ReasonReserve, fmt.Sprintf("the primary uses up to %d of %d cores, %d more are kept for it",
			r.primary, r.cfg.Cores, r.cfg.ReserveCPU)
	}
	return "", ""
}

package actor

import (
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/room"
	"lull/subjects/spec"
)

// reserve keeps CPU and memory free for the primary. It evicts tasks and prevents
// starts.
type reserve struct {
	*facts
	meter   room.Meter
	ending  []*attempt // killed for the primary, and no sample has followed their ends
	guarded Guarded
}

// reserved is what the host keeps for its primary.
func (c *Config) reserved() room.Reserve {
	return room.Reserve{Cores: c.Cores, CPU: c.ReserveCPU, Memory: c.ReserveMemory}
}

// foldSample folds the host's own telemetry.
func (r *reserve) foldSample(s subjects.Telemetry) {
	u, ok := s.(*subjects.Usage)
	if !ok || u.Host != r.cfg.Host {
		return
	}
	r.residual.idle, r.residual.seen = u.Idle, true
	r.meter.Add(r.cfg.reserved(), u)
	r.restore(u.MemoryBatch)
	r.changed = true // the next heartbeat names how far the log was read
}

// restore ends as many attempts as make the reserve whole at the next sample, in the order of
// eviction. Attempts that are ending already count as free, and are hurried.
func (r *reserve) restore(batch int64) {
	r.raiseUrgency()
	for r.lacksMemory(batch) && r.evict(r.why(r.busy()), AtOnce) {
	}
	for r.lacksCPU() && r.evict(r.why(r.busy()), Soon) {
	}
	r.ending = slices.DeleteFunc(r.ending, func(t *attempt) bool { return !t.occupies() })
}

// raiseUrgency has attempts that end for another reason end in time for the next sample.
func (r *reserve) raiseUrgency() {
	urgency := Patient
	switch {
	case r.lowMemory():
		urgency = AtOnce
	case r.overCPU():
		urgency = Soon
	}
	for _, t := range r.held {
		if t.occupies() && t.endReason != "" && t.urgency < urgency {
			t.urgency, t.killSent = urgency, false
		}
	}
}

// lowMemory reports whether less memory is available than the reserve.
func (r *reserve) lowMemory() bool { return r.cfg.reserved().Short(r.meter.Free) }

// lacksMemory reports whether less memory than the reserve will be available when all that is
// ending has ended. An attempt is taken to hold as much of what batch work holds as its
// slots are of those in use. If a sample does not say what batch work holds, one attempt at
// a time is taken to be enough.
func (r *reserve) lacksMemory(batch int64) bool {
	if !r.lowMemory() {
		return false
	}
	leaving, slots := spec.Cores(0), spec.Cores(0)
	for _, t := range r.holding() {
		slots += t.cores()
		if t.endReason != "" {
			leaving += t.cores()
		}
	}
	if batch <= 0 {
		return leaving == 0
	}
	freed := float64(batch) * leaving.Float() / max(slots, 1).Float()
	return float64(r.meter.Free)+freed < float64(r.cfg.ReserveMemory)
}

// holding lists the attempts that the last sample's memory may include: those that use slots, and
// those that ended for the primary after the previous sample. The sample may be older than their
// ends.
func (r *reserve) holding() []*attempt {
	var all []*attempt
	for _, t := range r.held {
		if t.occupies() {
			all = append(all, t)
		}
	}
	for _, t := range r.ending {
		if !t.occupies() {
			all = append(all, t)
		}
	}
	return all
}

// overCPU reports whether the slots in use take cores of the CPU reserve. Those of a paused
// host use none.
func (r *reserve) overCPU() bool { return !r.paused && !r.allows(r.busy()) }

// lacksCPU reports whether they still will when all that is ending has ended.
func (r *reserve) lacksCPU() bool {
	stay := r.slotsUsedBy(func(t *attempt) bool { return t.occupies() && t.endReason == "" })
	return !r.paused && !r.allows(stay)
}

// evicting reports whether a task is being evicted for the reserve.
func (r *reserve) evicting() bool { return slices.ContainsFunc(r.ending, (*attempt).occupies) }

// violated reports whether less is free for the primary than the reserve asks for.
func (r *reserve) violated() bool { return r.lowMemory() || r.overCPU() }

// allows reports whether the CPU reserve stays free with so many slots in use.
func (r *reserve) allows(busy int) bool { return busy <= r.cfg.reserved().BatchCores(r.meter.Primary) }

// violation says why nothing may start if so many slots are in use then; "" if it may.
func (r *reserve) violation(busy int) (reason, text string) {
	switch {
	case r.guarded.Frozen:
		return subjects.ReasonReserve, r.guarded.Why
	case !r.meter.Seen:
		return "", ""
	case r.meter.Short || !r.allows(busy):
		return subjects.ReasonReserve, r.why(busy)
	}
	return "", ""
}

// why explains to people what the reserve lacks if so many slots are in use.
func (r *reserve) why(busy int) string {
	switch {
	case r.meter.Short:
		return fmt.Sprintf("%d MB of memory are available, %d MB are kept for the primary", r.meter.Free>>20, r.cfg.ReserveMemory>>20)
	case !r.allows(busy):
		return fmt.Sprintf("the primary uses up to %d of %d cores, %d more are kept for it", r.meter.Primary, r.cfg.Cores, r.cfg.ReserveCPU)
	}
	return ""
}

package actor

import (
	"time"

	"lull/subjects/spec"
	"lull/subjects/tct"
)

// meter integrates over time what the primary leaves to batch work. The mean over a run then costs
// two readings, however many samples it spans.
type meter struct {
	mark
	slotResidual float64 // residual of a slot in use, now
	idlePerCore  float64 // idle cores for each core that batch work takes, now; at most spec.MaxShares
	idle         float64 // idle cores of the last sample
	seen         bool    // a sample was folded
}

// mark is a reading of the meter: integrals since its first step, in seconds.
type mark struct {
	at          time.Time
	slotSeconds float64 // of meter.slotResidual
	coreSeconds float64 // of meter.idlePerCore
}

func (m *meter) advance(now time.Time) {
	if !m.at.IsZero() && now.After(m.at) {
		m.slotSeconds += m.slotResidual * now.Sub(m.at).Seconds()
		m.coreSeconds += m.idlePerCore * now.Sub(m.at).Seconds()
	}
	if now.After(m.at) {
		m.at = now
	}
}

// set changes what is left from now on: batch work uses busy slots and takes load of the host's
// cores. Before the first sample the primary is assumed to be idle.
func (m *meter) set(cores uint32, busy int, load spec.Cores) {
	idle := float64(cores)
	if m.seen {
		idle = m.idle
	}
	m.slotResidual = tct.Residual(idle, busy)
	m.idlePerCore = min(max(idle, 0)/max(load, 1).Float(), float64(spec.MaxShares))
}

// meanResidual is the mean residual, since a mark, of an attempt that takes so many cores; the present one
// if no time has passed. An attempt of less than a core has its part of what is idle, by the parts
// of all, but at most a core: the kernel divides by these weights, and caps nothing.
func (m *meter) meanResidual(since mark, takes spec.Cores) float64 {
	seconds := m.at.Sub(since.at).Seconds()
	if passed := seconds > 0 && !since.at.IsZero(); !passed {
		return m.currentResidual(takes)
	}
	if takes < spec.Core {
		return min(max(takes.Float()*(m.coreSeconds-since.coreSeconds)/seconds, 0), 1)
	}
	return min(max((m.slotSeconds-since.slotSeconds)/seconds, 0), 1)
}

// currentResidual is the present residual of an attempt that takes so many cores.
func (m *meter) currentResidual(takes spec.Cores) float64 {
	if takes < spec.Core {
		return min(takes.Float()*m.idlePerCore, 1)
	}
	return m.slotResidual
}

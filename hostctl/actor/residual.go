package actor

import (
	"time"

	"lull/subjects/spec"
	"lull/subjects/tct"
)

// meter integrates the residual of the host's busy slots over time. The mean over a
// run then costs two readings, however many samples it spans.
type meter struct {
	at   time.Time
	area float64 // ∫ rate dt, in seconds, since the first step
	rate float64 // residual now
	wide float64 // ∫ each dt, in seconds
	each float64 // idle cores for each core that batch work takes now, at most spec.MaxShares
	idle float64 // idle cores of the last sample
	seen bool    // a sample was folded
}

// mark is a reading of the meter.
type mark struct {
	at   time.Time
	area float64
	wide float64
}

func (m *meter) advance(now time.Time) {
	if !m.at.IsZero() && now.After(m.at) {
		m.area += m.rate * now.Sub(m.at).Seconds()
		m.wide += m.each * now.Sub(m.at).Seconds()
	}
	if now.After(m.at) {
		m.at = now
	}
}

// set changes the rate from now on. Before the first sample the primary is assumed
// to be idle.
func (m *meter) set(cores uint32, busy int, load spec.Cores) {
	idle := float64(cores)
	if m.seen {
		idle = m.idle
	}
	m.rate = tct.Residual(idle, busy)
	m.each = min(max(idle, 0)/max(load, 1).Float(), float64(spec.MaxShares))
}

func (m *meter) mark() mark { return mark{m.at, m.area, m.wide} }

// mean is the residual since a mark of an attempt that takes so many cores, the present one if no
// time has passed. One of less than a core has its part of what is idle, by the parts of all, but
// at most a core: the kernel divides by these weights, and caps nothing.
func (m *meter) mean(since mark, takes spec.Cores) float64 {
	seconds := m.at.Sub(since.at).Seconds()
	if passed := seconds > 0 && !since.at.IsZero(); !passed {
		return m.now(takes)
	}
	if takes < spec.Core {
		return min(max(takes.Float()*(m.wide-since.wide)/seconds, 0), 1)
	}
	return min(max((m.area-since.area)/seconds, 0), 1)
}

// now is the present residual of an attempt that takes so many cores.
func (m *meter) now(takes spec.Cores) float64 {
	if takes < spec.Core {
		return min(takes.Float()*m.each, 1)
	}
	return m.rate
}

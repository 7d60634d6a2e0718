package actor

import (
	"time"

	"lull/subjects/tct"
)

// meter integrates the residual of the host's busy slots over time. The mean over a
// run then costs two readings, however many samples it spans.
type meter struct {
	at   time.Time
	area float64 // ∫ rate dt, in seconds, since the first step
	rate float64 // residual now
	idle float64 // idle cores of the last sample
	seen bool    // a sample was folded
}

// mark is a reading of the meter.
type mark struct {
	at   time.Time
	area float64
}

func (m *meter) advance(now time.Time) {
	if !m.at.IsZero() && now.After(m.at) {
		m.area += m.rate * now.Sub(m.at).Seconds()
	}
	if now.After(m.at) {
		m.at = now
	}
}

// set changes the rate from now on. Before the first sample the primary is assumed
// to be idle.
func (m *meter) set(cores uint32, busy int) {
	idle := float64(cores)
	if m.seen {
		idle = m.idle
	}
	m.rate = tct.Residual(idle, busy)
}

func (m *meter) mark() mark { return mark{m.at, m.area} }

// mean is the residual since a mark, the present one if no time has passed.
func (m *meter) mean(since mark) float64 {
	if seconds := m.at.Sub(since.at).Seconds(); seconds > 0 && !since.at.IsZero() {
		return min(max((m.area-since.area)/seconds, 0), 1)
	}
	return m.rate
}

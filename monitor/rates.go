package monitor

import (
	"time"

	"lull/subjects"
)

// meter computes rates from two counters of many devices.
type meter struct {
	at   time.Time
	last map[string]counters
}

// counters are bytes in and out of one device.
type counters struct{ in, out uint64 }

// rates returns bytes per second over all devices since the last call, false
// at the first. A device that is new, or has lower counters than before, counts from its
// next reading on: its history is not this second's traffic.
func (m *meter) rates(now time.Time, devices map[string]counters) (in, out float64, ok bool) {
	seconds := now.Sub(m.at).Seconds()
	known := m.last != nil && seconds > 0
	for name, c := range devices {
		past, seen := m.last[name]
		if known && seen && c.in >= past.in && c.out >= past.out {
			in += float64(c.in - past.in)
			out += float64(c.out - past.out)
		}
	}
	m.at, m.last = now, devices
	return in / max(seconds, 1e-9), out / max(seconds, 1e-9), known
}

// metered is a source of counters.
type metered struct {
	meter
	devices func() (map[string]counters, error)
	apply   func(u *subjects.Usage, in, out float64)
}

func (m *metered) read(now time.Time) (func(*subjects.Usage), error) {
	devices, err := m.devices()
	if err != nil {
		return nil, err
	}
	in, out, ok := m.rates(now, devices)
	if !ok {
		return nil, nil
	}
	return func(u *subjects.Usage) { m.apply(u, in, out) }, nil
}

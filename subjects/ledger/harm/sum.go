// Package harm sums up what batch work gave and took on hosts: CPU time that it harvested, and time
// that primaries waited because it ran.
package harm

import "lull/subjects"

// Sum is what batch work gave and took over some time, in CPU seconds and seconds of waiting.
type Sum struct {
	_msgpack  struct{} `msgpack:",as_array"` //nolint:unused // it tells the encoder
	Harvested float64  // CPU that batch work used
	Primary   float64  // CPU that primaries used
	// Sensed is the part of Primary during which the delay was measured.
	Sensed  float64
	Delay   float64 // that primaries waited for a CPU because batch work ran
	Allowed float64 // what Delay was allowed to be
	// Evictions are those for primaries' sake.
	Evictions uint64
}

// Add adds what happened elsewhere, or at another time.
func (s *Sum) Add(o Sum) {
	s.Harvested += o.Harvested
	s.Primary += o.Primary
	s.Sensed += o.Sensed
	s.Delay += o.Delay
	s.Allowed += o.Allowed
	s.Evictions += o.Evictions
}

// Rate is the delay per CPU second of primaries, and Budget what it was allowed
// to be. Without a measurement, ok is false.
func (s Sum) Rate() (rate, budget float64, ok bool) {
	if !(s.Sensed > 0) {
		return 0, 0, false
	}
	return s.Delay / s.Sensed, s.Allowed / s.Sensed, true
}

// Of is what an interval of a host gave and took.
func Of(e *subjects.Harmed) Sum {
	s := Sum{Harvested: e.Harvested, Primary: e.Primary, Evictions: uint64(e.Evictions)}
	if e.Sensor != "" {
		s.Sensed, s.Delay, s.Allowed = e.Primary, e.Delay, e.Budget*e.Primary
	}
	return s
}

package monitor

import (
	"time"

	"lull/monitor/waits"
	"lull/subjects"
)

// Waits measures what the primary's threads wait for: a *waits.Sensor.
type Waits interface{ Read() (waits.Reading, error) }

// waitsReader reads the sensor of the primary's waits once a sample.
type waitsReader struct {
	sensor   Waits
	counters *Counters
	// past holds readings, oldest first, back to idleWindow before the latest.
	past []timedReading
}

// timedReading is a reading of the sensor, and when it was taken.
type timedReading struct {
	at time.Time
	waits.Reading
}

func newWaitsReader(sensor Waits, counters *Counters) *waitsReader {
	return &waitsReader{sensor: sensor, counters: counters}
}

func (s *waitsReader) read(now time.Time) (func(*subjects.Usage), error) {
	reading, err := s.sensor.Read()
	if err != nil {
		return nil, err
	}
	s.counters.setWaits(reading)
	s.remember(timedReading{now, reading})
	if len(s.past) < 2 {
		return nil, nil
	}
	last := timedReading{now, reading}.since(s.past[len(s.past)-2])
	delay := timedReading{now, reading}.delaySince(s.past[0])
	return func(u *subjects.Usage) {
		u.Running, u.Runnable, u.Blocked = last.Ran, last.Runnable, last.Blocked
		u.Sensor, u.Delay = reading.Name, delay
	}, nil
}

func (s *waitsReader) remember(f timedReading) {
	for len(s.past) > 1 && f.at.Sub(s.past[1].at) >= idleWindow {
		s.past = append(s.past[:0], s.past[1:]...)
	}
	s.past = append(s.past, f)
}

// since is how many threads ran, waited and slept on average since an earlier
// reading.
func (f timedReading) since(past timedReading) (average waits.Reading) {
	seconds := f.at.Sub(past.at).Seconds()
	if seconds <= 0 {
		return average
	}
	average.Ran = max(f.Ran-past.Ran, 0) / seconds
	average.Runnable = max(f.Runnable-past.Runnable, 0) / seconds
	average.Blocked = max(f.Blocked-past.Blocked, 0) / seconds
	return average
}

// delaySince returns the delay per CPU second since an earlier reading. It is unknown for a primary
// that used no CPU.
func (f timedReading) delaySince(past timedReading) float64 {
	ran := f.Ran - past.Ran
	if ran <= 0 {
		return 0
	}
	return max(f.Delayed-past.Delayed, 0) / ran
}

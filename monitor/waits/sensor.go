package waits

import (
	"errors"
	"fmt"
)

// ErrNoSensor means that no sensor can measure what the primary waits for.
var ErrNoSensor = errors.New("no sensor on this host can measure how long the primary's threads wait for a CPU")

// Config says which threads' waiting is measured.
type Config struct {
	// Root is the folder that holds proc. Defaults to "/". With another one eBPF is not
	// used, because no kernel belongs to it: only its files are read.
	Root string
	// Batch are the folders of cgroups, in the hierarchy of the CPU controller,
	// that hold batch work, with all that is below them. If empty, batch work is the
	// threads of the policy SCHED_IDLE.
	Batch []string
	// Primary are the folders of the primary's cgroups. If empty, all threads that are
	// not batch work are the primary's, except those of the kernel, of Own and of the idle class
	// (the policy SCHED_IDLE, or a group with cpu.idle).
	Primary []string
	// Own is the id of lull's own process in the initial pid namespace, 0 for none. Its threads count
	// neither as batch work nor as the primary's. Only eBPF uses it.
	Own int
}

// Reading is what the primary's threads did since Open, in thread-seconds.
type Reading struct {
	Ran      float64 // on a CPU
	Runnable float64 // waiting for a CPU, whatever ran there
	Blocked  float64 // in uninterruptible sleep: for a disk, mostly
	Delayed  float64 // waiting for a CPU while batch work ran on some CPU
	Name     string  // of the sensor, for people
}

// minus is the reading since an earlier one.
func (r Reading) minus(past Reading) Reading {
	r.Ran, r.Runnable = max(r.Ran-past.Ran, 0), max(r.Runnable-past.Runnable, 0)
	r.Blocked, r.Delayed = max(r.Blocked-past.Blocked, 0), max(r.Delayed-past.Delayed, 0)
	return r
}

// Sensor measures until it is closed. It is not safe for concurrent use.
type Sensor struct {
	source
	start Reading
}

// source is one way to measure, from any moment on.
type source interface {
	read() (Reading, error)
	histogram() (Histogram, bool)
	close() error
}

// Open begins to measure in the best way that the host allows. If none works, it returns
// ErrNoSensor with the error of each.
func Open(cfg Config) (*Sensor, error) {
	if cfg.Root == "" {
		cfg.Root = "/"
	}
	blind := ErrNoSensor
	for _, way := range []struct {
		name string
		open func(Config) (source, error)
	}{{"eBPF", openTracer}, {"schedstat", openSchedstat}, {"PSI", openPressure}} {
		source, err := way.open(cfg)
		if err == nil {
			return startSensor(source)
		}
		blind = fmt.Errorf("%w; %s: %w", blind, way.name, err)
	}
	return nil, fmt.Errorf("%w; /proc/pressure/cpu does not help, because it counts the waits of batch work too", blind)
}

func startSensor(source source) (*Sensor, error) {
	now, err := source.read()
	if err != nil {
		return nil, errors.Join(err, source.close())
	}
	return &Sensor{source, now}, nil
}

// Read returns what was measured since Open.
func (s *Sensor) Read() (Reading, error) {
	now, err := s.read()
	if err != nil {
		return Reading{}, err
	}
	return now.minus(s.start), nil
}

// Delays returns a histogram of the single delays of threads by batch work since Open. It reports
// false if the sensor measures only their sum.
func (s *Sensor) Delays() (Histogram, bool) { return s.histogram() }

// Close ends the measurement.
func (s *Sensor) Close() error { return s.close() }

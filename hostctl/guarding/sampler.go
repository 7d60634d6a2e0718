package guarding

import (
	"log/slog"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/hostctl/trees"
	"lull/subjects"
)

// slowInterval is the interval between looks at values that change slowly.
const slowInterval = 100 * time.Millisecond

// activeCores is the use of CPU from which on the primary counts as active.
const activeCores = 0.02

// sampler reads what the guard decides on.
type sampler struct {
	caps   cgroup.Capabilities
	gauges *cgroup.Gauges
	trees  *trees.Counter // nil where gauges have the CPU time
	sensor guard.Sensor
	usage  func() *subjects.Usage // the newest telemetry, nil if none
	log    *slog.Logger

	at           time.Time
	waits        guard.Waits
	active       bool // the primary uses CPU
	sensorFailed bool // the sensor failed, and the log says so

	slow     guard.Sample // the values of the last slow look
	next     time.Time    // when the next slow look is due
	used     float64      // CPU seconds of batch work, as of the last slow look
	wantsCPU bool         // batch work waits for a CPU
	queue    float64      // seconds in which batch work waited for a CPU so far
}

func newSampler(c Config) sampler {
	return sampler{caps: c.Caps, gauges: c.Gauges, trees: c.Trees, sensor: c.Sensor, usage: c.Usage, log: c.Logger}
}

func (e *sampler) close() { e.gauges.Close() }

// takeSample returns a sample, and the CPU seconds that batch work has used. They are current with
// closely set, else as of the last slow look.
func (e *sampler) takeSample(now time.Time, tasks int, closely bool) (s guard.Sample, used float64) {
	slow := !now.Before(e.next)
	if slow {
		e.next = now.Add(slowInterval - lookRaised)
		e.lookSlowly(tasks)
	}
	if slow || closely {
		e.readCPU(now, tasks)
	}
	s = e.slow
	s.Tasks = tasks
	s.Waits, s.Sensed = e.sense(now)
	return s, e.used
}

// readCPU reads the CPU time of batch work. Where no cgroup shows whether batch work waits for a
// CPU, the states of its processes do: a sleeping task does not starve.
func (e *sampler) readCPU(now time.Time, tasks int) {
	if e.trees == nil {
		var err error
		e.used, err = e.gauges.CPU()
		e.logFailure("CPU time of batch work", err)
		return
	}
	used, runnable := e.trees.Recent(now)
	e.used = used
	if !e.caps.Pressure.OK() {
		e.wantsCPU = tasks > 0 && runnable
	}
}

// logFailure logs a reading that failed, at debug level: some hosts lack some values.
func (e *sampler) logFailure(reading string, err error) {
	if err != nil {
		e.log.Debug("guard: a reading failed", "reading", reading, "error", err)
	}
}

// sense reads how long the primary waited.
func (e *sampler) sense(now time.Time) (guard.Waits, bool) {
	if e.sensor == nil {
		e.active = true // without a sensor the guard cannot know that the primary is idle
		return guard.Waits{}, false
	}
	w, err := e.sensor.Read()
	if blind := err != nil; blind != e.sensorFailed {
		e.sensorFailed = blind
		if blind {
			e.log.Warn("guard: the primary's waits cannot be read", "error", err)
		} else {
			e.log.Info("guard: the primary's waits can be read again")
		}
	}
	if err != nil {
		return guard.Waits{}, false
	}
	if seconds := now.Sub(e.at).Seconds(); seconds > 0 {
		e.active = w.Ran-e.waits.Ran > activeCores*seconds
	}
	e.at, e.waits = now, w
	return w, true
}

func (e *sampler) lookSlowly(tasks int) {
	var err error
	e.slow.MemoryBatch, err = e.gauges.Memory()
	e.logFailure("memory of batch work", err)
	e.slow.MemoryFree, err = e.gauges.Available()
	e.logFailure("available memory", err)
	e.slow.MemoryStall, e.slow.DiskStall = e.stall("memory"), e.stall("io")
	if u := e.usage(); u != nil {
		e.slow.DiskRate = u.DiskRead + u.DiskWrite
	}
	if !e.caps.Pressure.OK() {
		e.wantsCPU = tasks > 0
		return
	}
	queue, err := e.gauges.Stalled("cpu")
	e.wantsCPU = err == nil && tasks > 0 && queue > e.queue
	e.queue = queue
}

// stall returns the seconds in which a process of the host stalled for a resource, less those
// in which a process of batch work did. Batch work stalls on its own bounds, and that must not
// tighten them further. So the result is a lower bound of what others stalled. Where batch
// work's own stalls are not known it is 0.
func (e *sampler) stall(resource string) float64 {
	if !e.caps.Pressure.OK() || !e.caps.System {
		return 0
	}
	own, err := e.gauges.Stalled(resource) // read first, so that own has no stall that all lacks
	if err != nil {
		return 0
	}
	all, err := e.gauges.HostStalled(resource)
	if err != nil {
		return 0
	}
	return max(all-own, 0)
}

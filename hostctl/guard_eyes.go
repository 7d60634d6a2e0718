package hostctl

import (
	"log/slog"
	"time"

	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/subjects"
)

// slowly is how often is looked at what does not change within milliseconds.
const slowly = 100 * time.Millisecond

// atWork is the cores from which on the primary counts as active.
const atWork = 0.02

// eyes read what the guard is to know.
type eyes struct {
	caps   cgroup.Capabilities
	gauges *cgroup.Gauges
	sensor guard.Sensor
	usage  func() *subjects.Usage // the newest telemetry, nil if none
	log    *slog.Logger

	at     time.Time
	waits  guard.Waits
	active bool // the primary uses CPU
	blind  bool // the sensor failed, and the log says so

	slow  guard.Sample // what is looked at slowly
	next  time.Time
	used  float64 // CPU seconds of batch work, as of the last slow look
	wants bool    // it waits for a CPU
	queue float64 // seconds that it did so far
}

func newEyes(a *Agent) eyes {
	return eyes{caps: a.caps, gauges: a.tree.Gauges(), sensor: a.cfg.Sensor, usage: a.usage.Load, log: a.cfg.Logger}
}

func (e *eyes) close() { e.gauges.Close() }

// look returns a sample, and the CPU seconds that batch work used so far: as of
// now if they are counted closely, else as of the last slow look.
func (e *eyes) look(now time.Time, tasks int, closely bool) (s guard.Sample, used float64) {
	slow := !now.Before(e.next)
	if slow {
		e.next = now.Add(slowly - lookRaised)
		e.lookSlowly(tasks)
	}
	if slow || closely {
		var err error
		e.used, err = e.gauges.CPU()
		e.doubt("CPU time of batch work", err)
	}
	s = e.slow
	s.Tasks = tasks
	s.Waits, s.Sensed = e.sense(now)
	return s, e.used
}

// doubt tells those who look for it that a reading failed.
func (e *eyes) doubt(reading string, err error) {
	if err != nil {
		e.log.Debug("guard: a reading failed", "reading", reading, "error", err)
	}
}

// sense reads what the primary suffers.
func (e *eyes) sense(now time.Time) (guard.Waits, bool) {
	if e.sensor == nil {
		e.active = true // nobody says that it rests
		return guard.Waits{}, false
	}
	w, err := e.sensor.Read()
	if blind := err != nil; blind != e.blind {
		e.blind = blind
		e.log.Warn("guard: the primary's waits", "known", !blind, "error", err)
	}
	if err != nil {
		return guard.Waits{}, false
	}
	if seconds := now.Sub(e.at).Seconds(); seconds > 0 {
		e.active = w.Ran-e.waits.Ran > atWork*seconds
	}
	e.at, e.waits = now, w
	return w, true
}

func (e *eyes) lookSlowly(tasks int) {
	var err error
	e.slow.MemoryBatch, err = e.gauges.Memory()
	e.doubt("memory of batch work", err)
	e.slow.MemoryFree, err = e.gauges.Available()
	e.doubt("available memory", err)
	e.slow.MemoryStall, e.slow.DiskStall = e.stall("memory"), e.stall("io")
	if u := e.usage(); u != nil {
		e.slow.DiskRate = u.DiskRead + u.DiskWrite
	}
	if !e.caps.Pressure.OK() {
		e.wants = tasks > 0
		return
	}
	queue, err := e.gauges.Stalled("cpu")
	e.wants = err == nil && tasks > 0 && queue > e.queue
	e.queue = queue
}

// stall is the seconds in which somebody stalled for a resource while nobody of
// batch did: what batch work suffers from its own bounds must not tighten them.
// So it is less than what others suffered, but it is theirs. Where batch work's
// own stalls are not known it is 0.
func (e *eyes) stall(resource string) float64 {
	if !e.caps.Pressure.OK() || !e.caps.System {
		return 0
	}
	own, err := e.gauges.Stalled(resource) // first: it must not know of later stalls
	if err != nil {
		return 0
	}
	all, err := e.gauges.HostStalled(resource)
	if err != nil {
		return 0
	}
	return max(all-own, 0)
}

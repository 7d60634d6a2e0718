package hostctl

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
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
	caps    cgroup.Capabilities
	tree    *cgroup.Tree
	sensor  guard.Sensor
	usage   func() *subjects.Usage // the newest telemetry, nil if none
	meminfo *os.File
	log     *slog.Logger

	at     time.Time
	waits  guard.Waits
	active bool // the primary uses CPU
	blind  bool // the sensor failed, and the log says so

	slow  guard.Sample // what is looked at slowly
	next  time.Time
	wants bool    // batch work waits for a CPU
	queue float64 // seconds that it did so far
}

func newEyes(a *Agent) (eyes, error) {
	meminfo, err := os.Open(filepath.Join(a.cfg.Root, "proc/meminfo"))
	if err != nil {
		return eyes{}, fmt.Errorf("guard: available memory: %w", err)
	}
	return eyes{
		caps: a.caps, tree: a.tree, sensor: a.cfg.Sensor, usage: a.usage.Load,
		meminfo: meminfo, log: a.cfg.Logger,
	}, nil
}

func (e *eyes) close() { _ = e.meminfo.Close() }

// look returns a sample, and the CPU seconds that batch work used so far.
func (e *eyes) look(now time.Time, tasks int) (s guard.Sample, used float64) {
	used, memory, err := e.tree.Usage()
	if err != nil {
		e.log.Debug("guard: what batch work uses is not known", "error", err)
	}
	if !now.Before(e.next) {
		e.next = now.Add(slowly - lookRaised)
		e.lookSlowly(tasks)
	}
	s = e.slow
	s.Tasks, s.MemoryBatch = tasks, memory
	s.Waits, s.Sensed = e.sense(now)
	return s, used
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
	e.slow.MemoryFree = e.available()
	e.slow.MemoryStall, e.slow.DiskStall = e.stall("memory"), e.stall("io")
	if u := e.usage(); u != nil {
		e.slow.DiskRate = u.DiskRead + u.DiskWrite
	}
	if !e.caps.Pressure.OK() {
		e.wants = tasks > 0
		return
	}
	own, err := e.tree.Pressure("cpu")
	queue := float64(own.Some.Total)
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
	own, err := e.tree.Pressure(resource) // first: it must not know of later stalls
	if err != nil {
		return 0
	}
	all, err := e.caps.SystemPressure(resource)
	if err != nil || all.Some.Total < own.Some.Total {
		return 0
	}
	return float64(all.Some.Total-own.Some.Total) / 1e6
}

// available is the bytes of memory that are available, 0 if unknown.
func (e *eyes) available() int64 {
	var buf [512]byte // MemAvailable is in the third line
	n, _ := e.meminfo.ReadAt(buf[:], 0)
	return parseAvailable(buf[:n])
}

func parseAvailable(meminfo []byte) int64 {
	_, rest, ok := bytes.Cut(meminfo, []byte("MemAvailable:"))
	number, _, unit := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" kB\n"))
	kb, err := strconv.ParseInt(string(number), 10, 64)
	if !ok || !unit || err != nil || kb < 0 || kb > 1<<50 {
		return 0
	}
	return kb << 10
}

package sense

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/monitor"
	"lull/monitor/waits"
)

// Sensor measures how long the threads of this host's primary wait for a CPU. The host's monitor and its
// guard share one sensor, and each reads it at its own interval.
type Sensor struct {
	primary []string // folders of the primary's cgroups
	// release removes the inner groups that keepGroup made, so that the groups of batch work can be removed.
	release func() error
	mu      struct {
		sync.Mutex
		from *waits.Sensor // nil where nothing can measure it, and after Close
	}
}

// Open begins to measure the primary's waits. primary names the primary's cgroups, each by an absolute path
// or by one below the mount of the CPU controller. Without names, the primary is everything that is not
// lull's. If the host cannot measure waits, Open logs why and returns a sensor without readings: its
// ForMonitor and ForGuard return nil.
func Open(log *slog.Logger, primary []string) (*Sensor, error) {
	cfg, release, err := waitsConfig(primary)
	if err != nil {
		return nil, err
	}
	from, err := waits.Open(cfg)
	switch {
	case err == nil:
		log.Debug("the primary's waits are measured", "groups", cfg.Primary)
	case os.Geteuid() != 0:
		log.Info("the primary's waits are not measured: that takes root (`lull doctor` lists what else does)")
		log.Debug("the primary's waits are not measured", "error", err)
	default:
		log.Info("the primary's waits are not measured", "error", err)
	}
	s := &Sensor{primary: cfg.Primary, release: release}
	s.mu.from = from
	return s, nil
}

// None returns a sensor that measures nothing.
func None() *Sensor { return &Sensor{release: func() error { return nil }} }

// waitsConfig says which threads are batch work (shims and dying processes included), which are the
// primary's, and which are neither (those of this process, which serves no user). From here on the groups
// of batch work must not be removed and made anew. So waitsConfig puts an inner group into each of them. Call
// release, which removes the inner groups, once the agent's own groups are in there.
func waitsConfig(primary []string) (cfg waits.Config, release func() error, err error) {
	release = func() error { return nil }
	cfg.Own = hostPID()
	caps, err := cgroup.Detect("/")
	if err != nil {
		return cfg, release, err
	}
	mount := caps.Weight.Mount
	if cfg.Primary, err = folders(mount, primary); err != nil || mount == "" {
		return cfg, release, err
	}
	var holds []string
	for _, group := range []string{cgroup.Parent, cgroup.OrdinaryParent} {
		batch := filepath.Join(mount, group)
		if os.MkdirAll(batch, 0o755) != nil {
			continue // an agent that may not make groups has no tasks in them
		}
		cfg.Batch = append(cfg.Batch, batch)
		if hold, err := keepGroup(batch); err == nil {
			holds = append(holds, hold)
		}
	}
	return cfg, func() error { return releaseGroups(holds) }, nil
}

// initPIDNamespace is the kernel's name of the initial PID namespace, in which every process has a PID
// (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const initPIDNamespace = "pid:[4026531836]"

// hostPID returns this process's PID in the initial PID namespace; 0 if the process runs in another
// namespace, as in most containers.
func hostPID() int {
	if in, err := os.Readlink("/proc/self/ns/pid"); err != nil || in != initPIDNamespace {
		return 0
	}
	return os.Getpid()
}

// folders returns the folders of the named cgroups. A name is an absolute path, or a path below the mount
// of the CPU controller.
func folders(mount string, names []string) (found []string, err error) {
	for _, name := range names {
		if !filepath.IsAbs(name) {
			if mount == "" {
				return nil, fmt.Errorf("--primary %s: no CPU controller is ours to use here (see `lull doctor`), so name the whole path of the folder", name)
			}
			name = filepath.Join(mount, name)
		}
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--primary %s: no cgroup of the CPU controller is there; /proc/PID/cgroup names that of a process", name)
		}
		found = append(found, name)
	}
	return found, nil
}

// ReleaseGroups releases the groups of batch work, because the agent's own groups are in them now.
func (s *Sensor) ReleaseGroups() error { return s.release() }

// Read returns what was measured so far, for the monitor.
func (s *Sensor) Read() (waits.Reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.from == nil {
		return waits.Reading{}, waits.ErrNoSensor
	}
	return s.mu.from.Read()
}

// guarding adapts a Sensor to guard.Sensor.
type guarding struct{ *Sensor }

func (g guarding) Read() (guard.Waits, error) {
	r, err := g.Sensor.Read()
	return guard.Waits{Ran: r.Ran, Delayed: r.Delayed}, err
}

// measures reports whether there is anything to read.
func (s *Sensor) measures() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.mu.from != nil
}

// ForMonitor returns the sensor as a monitor reads it, or nil if it measures nothing.
func (s *Sensor) ForMonitor() monitor.Waits {
	if !s.measures() {
		return nil
	}
	return s
}

// ForGuard returns the sensor as a guard reads it, or nil if it measures nothing.
func (s *Sensor) ForGuard() guard.Sensor {
	if !s.measures() {
		return nil
	}
	return guarding{s}
}

// Close ends the measurement. It returns err, joined with the error of closing, if there is one.
func (s *Sensor) Close(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.from == nil {
		return err
	}
	from := s.mu.from
	s.mu.from = nil
	return errors.Join(err, from.Close())
}

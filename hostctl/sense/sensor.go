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

// Sensor is the one measurement of how long this host's primary waits. Its monitor
// and its guard read it, each at its own pace.
type Sensor struct {
	primary []string // folders of its cgroups
	// release removes what keeps the groups of batch work from being removed.
	release func() error
	mu      struct {
		sync.Mutex
		from *waits.Sensor // nil where nothing can measure it, and after Close
	}
}

// Open begins to measure the primary's waits. primary names its cgroups by a path or below the
// mount of the CPU controller. Without names, the primary is everything that is not lull's. Where
// nothing can measure it, Open logs why, and there is nothing to read; see ForMonitor and ForGuard.
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

// waitsConfig classifies threads: batch work (with shims and dying processes), the primary's, or neither
// (those of this process, which serves no user). The groups of batch work must stay the same from
// here on, until the agent's own are in them. release then removes what keeps other processes from
// removing them.
func waitsConfig(primary []string) (cfg waits.Config, release func() error, err error) {
	release = func() error { return nil }
	cfg.Own = ownNumber()
	caps, err := cgroup.Detect("/")
	if err != nil {
		return cfg, release, err
	}
	mount := caps.Weight.Mount
	if cfg.Primary, err = folders(mount, primary); err != nil || mount == "" {
		return cfg, release, err
	}
	var holds []string
	for _, group := range []string{cgroup.Parent, cgroup.Beside} {
		batch := filepath.Join(mount, group)
		if os.MkdirAll(batch, 0o755) != nil {
			continue // an agent that may not make groups has no tasks in them
		}
		cfg.Batch = append(cfg.Batch, batch)
		if hold, err := holdGroup(batch); err == nil {
			holds = append(holds, hold)
		}
	}
	return cfg, func() error { return letGo(holds) }, nil
}

// firstNamespace is the kernel's name of the namespace in which every process has a number
// (PROC_PID_INIT_INO in include/linux/proc_ns.h).
const firstNamespace = "pid:[4026531836]"

// ownNumber is this process's number as the kernel knows it, 0 in a container that has numbers
// of its own.
func ownNumber() int {
	if in, err := os.Readlink("/proc/self/ns/pid"); err != nil || in != firstNamespace {
		return 0
	}
	return os.Getpid()
}

// folders returns the folders of cgroups that were named by a path, or by what is below
// the mount of the CPU controller.
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

// Settle releases the groups of batch work, because the agent's own groups are in them now.
func (s *Sensor) Settle() error { return s.release() }

// Read returns what was measured so far, for the monitor.
func (s *Sensor) Read() (waits.Reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.mu.from == nil {
		return waits.Reading{}, waits.ErrBlind
	}
	return s.mu.from.Read()
}

// guarding is a sensor as the guard knows it.
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

// ForMonitor returns the sensor as a monitor reads it, nil where nothing can measure.
func (s *Sensor) ForMonitor() monitor.Waits {
	if !s.measures() {
		return nil
	}
	return s
}

// ForGuard returns the sensor as a guard reads it, nil where nothing can measure.
func (s *Sensor) ForGuard() guard.Sensor {
	if !s.measures() {
		return nil
	}
	return guarding{s}
}

// Close ends the measurement, and joins what went wrong to err.
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

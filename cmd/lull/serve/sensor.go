package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/monitor"
	"lull/monitor/waits"
)

// sensor is the one measurement of what this host's primary suffers. Its monitor
// and its guard read it, each at its own pace.
type sensor struct {
	mu      sync.Mutex
	from    *waits.Sensor // nil where nothing can tell
	primary []string      // folders of its cgroups
	// settle lets go of what kept the group of batch work in its place.
	settle func() error
}

// openSensor begins to measure. Where nothing can tell, the log says why, and
// the sensor is there for nobody: see forMonitor and forGuard.
func openSensor(s Shared, primary []string) (*sensor, error) {
	cfg, release, err := whose(primary)
	if err != nil {
		return nil, err
	}
	from, err := waits.Open(cfg)
	switch {
	case err == nil:
		s.Log.Debug("what the primary waits for is measured", "groups", cfg.Primary)
	case os.Geteuid() != 0:
		s.Log.Info("what the primary waits for is not measured: that takes root (`lull doctor` tells what else does)")
		s.Log.Debug("what the primary waits for is not measured", "error", err)
	default:
		s.Log.Info("what the primary waits for is not measured", "error", err)
	}
	return &sensor{from: from, primary: cfg.Primary, settle: release}, nil
}

// whose says which threads are batch work (shims and the dying included), which are the
// primary's, and which are neither: those of this process, which serves no user. The groups of
// batch work must stay the same from here on, until the agent's own are in them: release takes
// back what keeps others from removing them.
func whose(primary []string) (cfg waits.Config, release func() error, err error) {
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
			continue // who may not make groups has no tasks in them
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

// folders are those of cgroups that were named by a path, or by what is below
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

// Read returns what was measured so far, for the monitor.
func (s *sensor) Read() (waits.Reading, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil {
		return waits.Reading{}, waits.ErrBlind
	}
	return s.from.Read()
}

// guarding is a sensor as the guard knows it.
type guarding struct{ *sensor }

func (g guarding) Read() (guard.Waits, error) {
	r, err := g.sensor.Read()
	return guard.Waits{Ran: r.Ran, Delayed: r.Delayed}, err
}

func (s *sensor) forMonitor() monitor.Waits {
	if s.from == nil {
		return nil
	}
	return s
}

func (s *sensor) forGuard() guard.Sensor {
	if s.from == nil {
		return nil
	}
	return guarding{s}
}

// close ends the measurement, and joins what went wrong to err.
func (s *sensor) close(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.from == nil {
		return err
	}
	from := s.from
	s.from = nil
	return errors.Join(err, from.Close())
}

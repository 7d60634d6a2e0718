// Package host runs what a machine of the pool runs, in one process: the agent, and the monitor
// beside it. The monitor's samples go to the pool, and straight to the agent.
package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/hostctl"
	"lull/hostctl/actor"
	"lull/hostctl/journal"
	"lull/hostctl/moved"
	"lull/hostctl/sense"
	"lull/monitor"
	steps "lull/monitor/record"
	"lull/subjects"
	"lull/subjects/history"
)

// Config says how a machine takes part in a pool.
type Config struct {
	// Config is the agent's. Sensor, Harm, Named, Spreader and Usage are the host's to fill in.
	hostctl.Config
	// Primary are the cgroups of the primary: absolute paths, or below the CPU
	// controller's mount. Defaults to all that is not lull's.
	Primary []string
	// Disk is a path on the disk where outputs are kept.
	Disk string
	// Mover is the command of a process that is to call sense.MoveThreads. Without one the
	// primary's threads stay where the kernel queues them.
	Mover []string
}

// Host is a machine of the pool.
type Host struct {
	agent   *hostctl.Agent
	monitor *monitor.Monitor
	sensor  *sense.Sensor
	memory  idleFile
	keeper  *journal.Keeper
}

// New prepares what runs on this machine. Logger is required.
func New(cfg Config) (*Host, error) {
	sensor, err := openSensor(cfg)
	if err != nil {
		return nil, err
	}
	h := &Host{sensor: sensor}
	if err := h.compose(cfg); err != nil {
		return nil, sensor.Close(err)
	}
	return h, nil
}

// openSensor opens the host's sensor. Below another root than the machine's own nothing can measure:
// the kernel says nothing of that host's threads.
func openSensor(cfg Config) (*sense.Sensor, error) {
	if isOtherRoot(cfg.Root) {
		return sense.None(), nil
	}
	return sense.Open(cfg.Logger, cfg.Primary)
}

// isOtherRoot reports whether a host's files are not those of the machine on which this process runs.
func isOtherRoot(root string) bool { return root != "" && filepath.Clean(root) != "/" }

// ownMeter returns what measures the CPU time of this process, nil where the host's counters lack it.
func ownMeter(root string) func() float64 {
	if isOtherRoot(root) {
		return nil
	}
	return ownCPU
}

func (h *Host) compose(cfg Config) (err error) {
	counters, samples := &monitor.Counters{}, make(chan *subjects.Usage, 1)
	seen := h.openIdleFile(cfg)
	var named atomic.Bool
	agent, count := cfg.Config, &moved.Counter{}
	agent.Moved = count
	agent.OnJoined = func() { named.Store(true) }
	agent.Sensor, agent.Spreader, agent.Usage = h.sensor.ForGuard(), h.sensor.Spreader(cfg.Mover), samples
	agent.Harm = func() actor.HarmTotals { return actor.HarmTotals(counters.Totals()) }
	agent.Logger = cfg.Logger.With("actor", "agent")
	h.agent, err = hostctl.New(agent)
	if err = errors.Join(err, h.sensor.ReleaseGroups()); err != nil {
		return err
	}
	h.keeper = journal.New(journal.Config{
		Bus: cfg.Bus, Host: cfg.Host, Folder: filepath.Join(cfg.Data, "history"), HasName: named.Load, Logger: cfg.Logger.With("actor", "agent"),
	})
	if err := h.keeper.Register(cfg.Registerer); err != nil {
		return err
	}
	h.monitor, err = monitor.New(monitor.Config{
		Host: cfg.Host, Root: cfg.Root, DiskPath: cfg.Disk, Batch: h.agent, Own: ownMeter(cfg.Root), Waits: h.sensor.ForMonitor(), Guard: h.agent,
		Counters: counters, Usual: seen, Keep: h.memory.put, Logger: cfg.Logger.With("actor", "monitor"), Registerer: cfg.Registerer,
		Record: func(s steps.Sample) {
			owner := history.Owner{Tenant: cfg.Tenant, Cores: s.Cores, Memory: s.Memory}
			h.keeper.Put(journal.Sample{Slot: s.Slot, Sample: s.Sample, Owner: owner})
		},
		Publish: func(u subjects.Usage) {
			u.MovedIn, u.MovedOut = count.Rates(time.Now())
			putNewest(samples, &u)
			if !named.Load() { // it would count for the agent that has the name
				return
			}
			if err := Publish(cfg.Bus, &u); err != nil {
				cfg.Logger.Debug("a usage sample was not sent", "error", err)
			}
		},
	})
	return err
}

// Healthy returns what keeps the host from its work.
func (h *Host) Healthy() error { return h.agent.Healthy() }

// Run runs agent and monitor until ctx ends. The monitor runs until the agent has left, because the
// agent's last decisions need samples too. Run may be called once.
func (h *Host) Run(ctx context.Context) error {
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	watched := make(chan error, 1)
	go func() { watched <- h.monitor.Run(watching) }()
	h.memory.begin()
	stopSending := h.keeper.Begin(ctx)
	err := h.agent.Run(ctx)
	stop()
	if werr := <-watched; werr != nil && !errors.Is(werr, context.Canceled) {
		err = errors.Join(err, fmt.Errorf("monitor: %w", werr))
	}
	h.memory.end()
	stopSending()
	return h.sensor.Close(err)
}

// Publish sends a sample. It may be lost: the next one follows in a second.
func Publish(bus actors.Bus, u *subjects.Usage) error {
	m, err := subjects.EncodeTelemetry(bus.Pool(), u)
	if err != nil {
		return err
	}
	return bus.Publish(m.Subject, m.Body)
}

// ownCPU is the CPU seconds that this process has used: not its tasks' and shims', which are
// processes of their own.
func ownCPU() float64 {
	var use unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &use); err != nil {
		return 0
	}
	return float64(use.Utime.Nano()+use.Stime.Nano()) / 1e9
}

// putNewest leaves u in a channel of one, in place of a sample that nothing took.
func putNewest(to chan *subjects.Usage, u *subjects.Usage) {
	for {
		select {
		case to <- u:
			return
		default:
		}
		select {
		case <-to:
		default:
		}
	}
}

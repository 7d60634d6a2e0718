package serve

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/hostctl"
	"lull/hostctl/actor"
	"lull/hostctl/lookup"
	"lull/monitor"
	"lull/subjects"
)

// agentService is a host: its monitor and its controller. The monitor's
// samples go to the pool, and straight to the controller beside it.
func agentService(bus *jetstream.Bus, log actors.Bus, s Shared, host HostConfig, data string) (service, error) {
	host.fill()
	if err := host.address(); err != nil {
		return service{}, err
	}
	feel, err := openSensor(s, host.Primary)
	if err != nil {
		return service{}, err
	}
	var watch *monitor.Monitor
	samples := make(chan *subjects.Usage, 1)
	cfg := hostctl.Config{
		Bus: log, Lookup: lookup.New(bus), Host: host.Name, Data: agentFolder(data),
		Options: host.Options, Sum: hashing(),
		Sensor: feel.forGuard(), Harm: func() actor.Suffered { return actor.Suffered(watch.Totals()) }, Spreader: feel.spreader(),
		Usage: samples, Version: ThisBuild().Version,
		Logger: s.Log.With("actor", "agent"), Registerer: s.Registry, Tracer: s.Traces.Tracer("lull/agent"),
	}
	if err := host.Web.settle(bus.Conn(), host.Advertise != "", &cfg); err != nil {
		return service{}, feel.close(err)
	}
	agent, err := hostctl.New(cfg)
	if err = errors.Join(err, feel.settle()); err != nil {
		return service{}, feel.close(err)
	}
	watch, err = monitorOf(log, s, monitor.Config{
		Host: host.Name, DiskPath: data, Batch: agent, Own: ownCPU, Waits: feel.forMonitor(), Guard: agent,
	}, samples)
	if err != nil {
		return service{}, feel.close(err)
	}
	run := func(ctx context.Context) error { return feel.close(together(ctx, agent.Run, watch.Run)) }
	return service{name: "agent of host " + host.Name, run: run, healthy: agent.Healthy}, nil
}

// agentFolder is the agent's part of the data folder.
func agentFolder(data string) string { return filepath.Join(data, "agent") }

// monitorOf is a monitor whose samples go to the pool and, unless it is nil, to
// the channel beside it.
func monitorOf(bus actors.Bus, s Shared, cfg monitor.Config, beside chan *subjects.Usage) (*monitor.Monitor, error) {
	cfg.Publish = func(u subjects.Usage) {
		publish(bus, s, &u)
		if beside != nil {
			newest(beside, &u)
		}
	}
	cfg.Logger, cfg.Registerer = s.Log.With("actor", "monitor"), s.Registry
	return monitor.New(cfg)
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

// publish sends a sample. It may be lost: the next one follows in a second.
func publish(bus actors.Bus, s Shared, u *subjects.Usage) {
	m, err := subjects.EncodeTelemetry(bus.Pool(), u)
	if err == nil {
		err = bus.Publish(m.Subject, m.Body)
	}
	if err != nil {
		s.Log.Debug("a usage sample was not sent", "error", err)
	}
}

// newest leaves u in a channel of one, in place of what nobody took.
func newest(to chan *subjects.Usage, u *subjects.Usage) {
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

// together runs the monitor for as long as the controller takes to leave: its
// last decisions need samples too.
func together(ctx context.Context, controller, monitor func(context.Context) error) error {
	watching, stop := context.WithCancel(context.WithoutCancel(ctx))
	watched := make(chan error, 1)
	go func() { watched <- monitor(watching) }()
	err := controller(ctx)
	stop()
	if werr := <-watched; werr != nil && !errors.Is(werr, context.Canceled) {
		err = errors.Join(err, fmt.Errorf("monitor: %w", werr))
	}
	return err
}

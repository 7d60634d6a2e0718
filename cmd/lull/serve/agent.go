package serve

import (
	"path/filepath"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/hostctl"
	"lull/hostctl/host"
	"lull/hostctl/lookup"
	"lull/monitor"
	"lull/subjects"
)

// agentService is a host: its monitor and its agent.
func agentService(bus *jetstream.Bus, log actors.Bus, s Shared, machine HostConfig, data string) (service, error) {
	machine.fill()
	if err := machine.address(); err != nil {
		return service{}, err
	}
	cfg := host.Config{
		Config: hostctl.Config{
			Bus: log, Lookup: lookup.New(bus), Host: machine.Name, Data: agentFolder(data), Options: machine.Options,
			Sum: aside(sumName, sumPaths), Version: ThisBuild().Version,
			Logger: s.Log, Registerer: s.Registry, Tracer: s.Traces.Tracer("lull/agent"),
		},
		Primary: machine.Primary, Disk: data, Mover: aside(spreadName),
	}
	if err := machine.Web.settle(bus.Conn(), machine.Advertise != "", &cfg.Config); err != nil {
		return service{}, err
	}
	h, err := host.New(cfg)
	if err != nil {
		return service{}, err
	}
	return service{name: "agent of host " + machine.Name, run: h.Run, healthy: h.Healthy}, nil
}

// agentFolder is the agent's part of the data folder.
func agentFolder(data string) string { return filepath.Join(data, "agent") }

// monitorService publishes what a machine uses that runs no tasks.
func monitorService(bus actors.Bus, s Shared, name, disk string) (service, error) {
	log := s.Log.With("actor", "monitor")
	watch, err := monitor.New(monitor.Config{
		Host: name, DiskPath: disk, Logger: log, Registerer: s.Registry,
		Publish: func(u subjects.Usage) {
			if err := host.Publish(bus, &u); err != nil {
				log.Debug("a usage sample was not sent", "error", err)
			}
		},
	})
	if err != nil {
		return service{}, err
	}
	return service{name: "monitor", run: watch.Run, healthy: func() error { return nil }}, nil
}

package service

import (
	"path/filepath"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/cmd/lull/serve/build"
	"lull/cmd/lull/serve/helper"
	"lull/hostctl"
	"lull/hostctl/host"
	"lull/hostctl/lookup"
	"lull/monitor"
	"lull/subjects"
)

// NewAgent makes the service of a host: its monitor and its agent.
func NewAgent(bus *jetstream.Bus, log actors.Bus, s Shared, machine HostConfig, data string) (Service, error) {
	machine.Fill()
	if err := machine.CompleteAddress(); err != nil {
		return Service{}, err
	}
	cfg := host.Config{
		Config: hostctl.Config{
			Bus: log, Lookup: lookup.New(bus), Host: machine.Name, Data: AgentFolder(data), Hide: machine.hide(data), Root: machine.Root, Stdin: machine.Stdin, Hurry: machine.Hurry, Options: machine.Options,
			Sum: helper.Command(helper.Sum, helper.SumPaths), Version: build.This().Version, OneJob: s.OneJob,
			Logger: s.Log, Registerer: s.Registry, Tracer: s.Traces.Tracer("lull/agent"),
		},
		Primary: machine.Primary, Disk: data, Mover: helper.Command(helper.Spread),
	}
	if err := machine.Web.settle(bus.Conn(), machine.Advertise != "", &cfg.Config); err != nil {
		return Service{}, err
	}
	h, err := host.New(cfg)
	if err != nil {
		return Service{}, err
	}
	return Service{Name: "agent of host " + machine.Name, Run: h.Run, Healthy: h.Healthy}, nil
}

// AgentFolder returns the agent's part of the data folder.
func AgentFolder(data string) string { return filepath.Join(data, "agent") }

// NewMonitor makes the service that publishes the usage of a machine that runs no tasks.
func NewMonitor(bus actors.Bus, s Shared, name, disk string) (Service, error) {
	log := s.Log.With("actor", "monitor")
	sampler, err := monitor.New(monitor.Config{
		Host: name, DiskPath: disk, Logger: log, Registerer: s.Registry,
		Publish: func(u subjects.Usage) {
			if err := host.Publish(bus, &u); err != nil {
				log.Debug("usage sample not sent", "error", err)
			}
		},
	})
	if err != nil {
		return Service{}, err
	}
	return Service{Name: "monitor", Run: sampler.Run, Healthy: func() error { return nil }}, nil
}

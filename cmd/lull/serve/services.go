package serve

import (
	"context"

	"lull/actors/jetstream"
	"lull/admission"
)

// startServices starts the services that decide, and then the host, whose first word
// they are to hear. So they are to hear the first client, who comes after that.
func (l *Local) startServices(ctx context.Context) error {
	admits, err := l.admission(ctx)
	if err != nil {
		return err
	}
	slotter, err := l.slotter(ctx)
	if err != nil {
		return err
	}
	host, err := l.host(ctx)
	if err != nil {
		return err
	}
	l.deciders.start(l.report, admits, slotter)
	if err := l.deciders.listening(ctx, l.failed); err != nil {
		return err
	}
	l.agent.start(l.report, host)
	return nil
}

func (l *Local) admission(ctx context.Context) (service, error) {
	bus, err := l.bus(ctx, "admission")
	if err != nil {
		return service{}, err
	}
	return admissionService(bus, l.cfg.Shared, admission.Config{Mode: l.cfg.AdmissionMode})
}

func (l *Local) slotter(ctx context.Context) (service, error) {
	bus, err := l.bus(ctx, "slotter")
	if err != nil {
		return service{}, err
	}
	cfg := l.cfg.Slotter
	cfg.Policy, cfg.DataNodes = l.cfg.Policy, l.cfg.DataNodes
	return slotterService(bus, l.cfg.Shared, cfg)
}

func (l *Local) host(ctx context.Context) (service, error) {
	bus, err := l.bus(ctx, "agent")
	if err != nil {
		return service{}, err
	}
	return agentService(bus.Bus, bus, l.cfg.Shared, l.cfg.Host, l.folder.Dir)
}

// bus opens the pool on a connection of its own: one service that is slow to
// read does not hold up another.
func (l *Local) bus(ctx context.Context, name string) (*gated, error) {
	conn, err := l.server.Conn(name)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	bus, err := jetstream.Open(ctx, conn, l.cfg.Pool)
	if err != nil {
		return nil, err
	}
	return &gated{bus, &l.gate}, nil
}

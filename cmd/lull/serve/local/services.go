package local

import (
	"context"

	"lull/actors/jetstream"
	"lull/actors/jetstream/connect"
	"lull/admission"
	"lull/cmd/lull/serve/service"
	"lull/placer"
)

// startServices starts admission, slotter, classifier and placer, waits until they receive requests, and
// then starts the host. So no service misses the first heartbeat of the host or the first request of a
// client.
func (l *Local) startServices(ctx context.Context) error {
	admits, err := l.admission(ctx)
	if err != nil {
		return err
	}
	slotter, err := l.slotter(ctx)
	if err != nil {
		return err
	}
	classes, err := l.classifier(ctx)
	if err != nil {
		return err
	}
	places, err := l.placer(ctx)
	if err != nil {
		return err
	}
	host, err := l.host(ctx)
	if err != nil {
		return err
	}
	l.deciders.Start(l.report, admits, slotter, classes, places)
	if err := l.deciders.WaitListening(ctx, l.failed); err != nil {
		return err
	}
	l.agent.Start(l.report, host)
	return nil
}

func (l *Local) admission(ctx context.Context) (service.Service, error) {
	bus, err := l.bus(ctx, "admission")
	if err != nil {
		return service.Service{}, err
	}
	return service.NewAdmission(bus, l.cfg.Shared, admission.Config{Mode: l.cfg.AdmissionMode})
}

func (l *Local) slotter(ctx context.Context) (service.Service, error) {
	bus, err := l.bus(ctx, "slotter")
	if err != nil {
		return service.Service{}, err
	}
	cfg := l.cfg.Slotter
	cfg.Policy, cfg.DataNodes = l.cfg.Policy, l.cfg.DataNodes
	return service.NewSlotter(bus, l.cfg.Shared, cfg)
}

func (l *Local) classifier(ctx context.Context) (service.Service, error) {
	bus, err := l.bus(ctx, "classifier")
	if err != nil {
		return service.Service{}, err
	}
	return service.NewClassifier(bus, l.cfg.Shared, l.cfg.Classifier)
}

func (l *Local) placer(ctx context.Context) (service.Service, error) {
	bus, err := l.bus(ctx, "placer")
	if err != nil {
		return service.Service{}, err
	}
	return service.NewPlacer(bus, l.cfg.Shared, placer.Config{})
}

func (l *Local) host(ctx context.Context) (service.Service, error) {
	bus, err := l.bus(ctx, "agent")
	if err != nil {
		return service.Service{}, err
	}
	return service.NewAgent(bus.Bus, bus, l.cfg.Shared, l.cfg.Host, l.folder.Dir)
}

// bus opens the pool on a connection of its own, so that a service that reads slowly does not
// delay another.
func (l *Local) bus(ctx context.Context, name string) (*gated, error) {
	conn, err := l.server.Conn(name)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	connect.Report(conn, l.cfg.Log, l.cfg.Registry)
	bus, err := jetstream.Open(ctx, conn, l.cfg.Pool)
	if err != nil {
		return nil, err
	}
	return &gated{bus, &l.gate}, nil
}

package service

import (
	"context"
	"log/slog"
	"sync"

	"lull/actors"
	"lull/actors/shell"
	"lull/admission"
	"lull/cmd/lull/serve/jobmetrics"
	"lull/slotter"
)

// newDecider makes the service of an actor that decides for the whole pool. The functions
// in beside run while its shell runs.
func newDecider(cfg shell.Config, bus actors.Bus, s Shared, beside ...func(context.Context, *shell.Shell)) (Service, error) {
	cfg.Bus = bus
	cfg.Logger = s.Log.With("actor", cfg.Name)
	cfg.Registerer, cfg.Tracer = s.Registry, s.Traces.Tracer("lull/"+cfg.Name)
	if s.Memory != nil {
		cfg.Memory = s.Memory.Read
	}
	running, err := shell.New(cfg)
	if err != nil {
		return Service{}, err
	}
	return Service{cfg.Name, runUntilStopped(running, s.Log, beside), running.Healthy, running.Listens()}, nil
}

// runUntilStopped runs an actor. A stop after the server has gone is no error: the actor
// cannot give its lease back then, and the lease runs out by itself.
func runUntilStopped(actor *shell.Shell, log *slog.Logger, beside []func(context.Context, *shell.Shell)) func(context.Context) error {
	return func(ctx context.Context) error {
		var running sync.WaitGroup
		defer running.Wait()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for _, run := range beside {
			running.Go(func() { run(ctx, actor) })
		}
		err := actor.Run(ctx)
		if err == nil || ctx.Err() == nil {
			return err
		}
		log.Warn("stopped without giving the lease back; another instance leads when it expires", "error", err)
		return nil
	}
}

// NewAdmission makes the service that admits or rejects jobs.
func NewAdmission(bus actors.Bus, s Shared, cfg admission.Config) (Service, error) {
	cfg.Pool = s.Pool
	actor, err := admission.New(cfg)
	if err != nil {
		return Service{}, err
	}
	return newDecider(shell.Config{Role: admission.Role(s.Pool), Actor: withMargin(actor, s), Claim: actor.Claim}, bus, s)
}

// NewSlotter makes the service that assigns tasks to slots.
func NewSlotter(bus PoolBus, s Shared, cfg slotter.Config) (Service, error) {
	actor, err := slotter.New(cfg)
	if err != nil {
		return Service{}, err
	}
	measured, err := jobmetrics.New(actor, s.Pool, s.Registry)
	if err != nil {
		return Service{}, err
	}
	return newDecider(shell.Config{
		Role: slotter.Role(s.Pool), Actor: measured,
		Perform: s.reportAlarm,
	}, bus, s, sweepListsEvery(bus.NewListSweeper(), s.Log))
}

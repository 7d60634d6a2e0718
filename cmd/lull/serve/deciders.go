package serve

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"lull/actors"
	"lull/actors/shell"
	"lull/admission"
	"lull/slotter"
)

// decider runs an actor that decides for the whole pool, and what is to run beside its
// shell.
func decider(cfg shell.Config, bus actors.Bus, s Shared, beside ...func(context.Context, *shell.Shell)) (service, error) {
	cfg.Bus = bus
	cfg.Logger = s.Log.With("actor", cfg.Name)
	cfg.Registerer, cfg.Tracer = s.Registry, s.Traces.Tracer("lull/"+cfg.Name)
	if s.Memory != nil {
		cfg.Memory = s.Memory.Read
	}
	running, err := shell.New(cfg)
	if err != nil {
		return service{}, err
	}
	return service{cfg.Name, leniently(running, s.Log, beside), running.Healthy, running.Listens()}, nil
}

// leniently runs an actor that may be stopped when its server is gone already:
// then it cannot give its lease back, and the lease runs out by itself.
func leniently(actor *shell.Shell, log *slog.Logger, beside []func(context.Context, *shell.Shell)) func(context.Context) error {
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
		log.Warn("stopped without a word to the others", "because", err)
		return nil
	}
}

func admissionService(bus actors.Bus, s Shared, cfg admission.Config) (service, error) {
	cfg.Pool = s.Pool
	actor, err := admission.New(cfg)
	if err != nil {
		return service{}, err
	}
	return decider(shell.Config{Role: admission.Role(s.Pool), Actor: measured(actor, s), Claim: actor.Claim}, bus, s)
}

func slotterService(bus poolBus, s Shared, cfg slotter.Config) (service, error) {
	actor, err := slotter.New(cfg)
	if err != nil {
		return service{}, err
	}
	return decider(shell.Config{
		Role: slotter.Role(s.Pool), Actor: actor,
		Perform: func(a actors.Action) { s.Log.Warn(fmt.Sprint(a), "actor", slotter.Name) },
	}, bus, s, sweepsLists(bus.NewListSweeper(), s.Log))
}

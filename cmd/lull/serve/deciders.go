package serve

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"lull/actors"
	"lull/admission"
	"lull/slotter"
	"lull/subjects"
)

// How shells of led services keep their place. A lease of four seconds rides
// over a stalled disk and hands over soon after a crash. A snapshot every
// 50,000 entries bounds a restart to a fold of less than a second.
const (
	lease         = 4 * time.Second
	snapshotEvery = 50_000
	snapshotAfter = 10 * time.Minute
	keep          = 200_000
)

// decider runs an actor that decides for the whole pool, and what is to run beside its
// shell.
func decider(cfg actors.Config, bus actors.Bus, s Shared, beside ...func(context.Context, *actors.Shell)) (service, error) {
	cfg.Bus, cfg.Lease = bus, lease
	cfg.SnapshotEvery, cfg.SnapshotAfter, cfg.Keep = snapshotEvery, snapshotAfter, keep
	cfg.Logger = s.Log.With("actor", cfg.Name)
	cfg.Registerer, cfg.Tracer = s.Registry, s.Traces.Tracer("lull/"+cfg.Name)
	if s.Memory != nil {
		cfg.Memory = s.Memory.Read
	}
	shell, err := actors.New(cfg)
	if err != nil {
		return service{}, err
	}
	return service{cfg.Name, leniently(shell, s.Log, beside), shell.Healthy, shell.Listens()}, nil
}

// leniently runs a shell that may be stopped when its server is gone already:
// then it cannot give its lease back, and the lease runs out by itself.
func leniently(shell *actors.Shell, log *slog.Logger, beside []func(context.Context, *actors.Shell)) func(context.Context) error {
	return func(ctx context.Context) error {
		var running sync.WaitGroup
		defer running.Wait()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		for _, run := range beside {
			running.Go(func() { run(ctx, shell) })
		}
		err := shell.Run(ctx)
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
	return decider(actors.Config{
		Name: admission.Name, Actor: measured(actor, s), Version: admission.Version, Reads: admission.Reads,
		Telemetry: []string{s.Pool.Usage("*")},
		Asks:      []string{subjects.AskAdmission, subjects.AskJobs},
		Claim:     actor.Claim,
	}, bus, s)
}

func slotterService(bus poolBus, s Shared, cfg slotter.Config) (service, error) {
	actor, err := slotter.New(cfg)
	if err != nil {
		return service{}, err
	}
	return decider(actors.Config{
		Name: slotter.Name, Actor: actor, Version: slotter.Version, Reads: slotter.Reads, Trimmer: true,
		Awaits:    []string{admission.Name + ".all"},
		Telemetry: []string{s.Pool.Usage("*"), s.Pool.Beat("*")},
		Asks:      []string{subjects.AskOutputs, subjects.AskWanted, subjects.AskKept, subjects.AskDocument, subjects.AskSources},
		Perform:   func(a actors.Action) { s.Log.Warn(fmt.Sprint(a), "actor", slotter.Name) },
	}, bus, s, sweepsLists(bus.NewListSweeper(), s.Log))
}

package serve

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/interrupt"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/flags"
	"lull/cmd/lull/serve/service"
	"lull/cmd/lull/serve/vouch"
	"lull/hostctl/vacancy"
	"lull/subjects"
)

// singleService runs one service against a server elsewhere.
type singleService struct {
	flags.Common
	server dial.Server
	memory *flags.Memory // the memory flag of a service that holds the pool's state, else nil
	name   string
	// check looks at the flags, before anything waits for a server.
	check func() error
	// beforeConnect does what cannot wait for a server; nil for nothing.
	beforeConnect func(service.Shared) error
	// openPool opens the pool. Defaults to jetstream.Open, which makes it.
	openPool dial.Opener
	// mustPublish is the subject of the pool on which the service cannot do without publishing.
	mustPublish func(subjects.Pool) string
	// make is called once the pool is open.
	make func(context.Context, *jetstream.Bus, service.Shared) (service.Service, error)
}

func (a *singleService) command(short, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: a.name, Short: short, Long: long, Args: flags.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd) },
	}
	a.Flags(cmd.Flags())
	a.server.Flags(cmd.Flags())
	if a.memory != nil {
		a.memory.Flag(cmd.Flags())
	}
	return cmd
}

func (a *singleService) run(cmd *cobra.Command) error {
	ctx, stop := interrupt.Context(cmd.Context())
	defer stop()
	if a.check != nil {
		if err := a.check(); err != nil {
			return err
		}
	}
	limit := uint64(0)
	if a.memory != nil {
		var err error
		if limit, err = a.memory.Bytes(); err != nil {
			return err
		}
	}
	if _, err := a.server.Options(); err != nil {
		return err
	}
	shared, done, err := a.Begin(ctx, a.name, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	if limit != 0 {
		shared.Hold(limit)
	}
	if a.beforeConnect != nil {
		if err := a.beforeConnect(shared); err != nil {
			shared.Log.Warn("the cgroups that an earlier agent left are not all reset yet", "error", err)
		}
	}
	if a.openPool == nil {
		a.openPool = jetstream.Open
	}
	use := vouch.Writes(a.name, a.mustPublish(shared.Pool), a.openPool)
	bus, err := a.server.Open(ctx, a.name, shared.Pool, use, shared.Log, shared.Registry)
	if errors.Is(err, context.Canceled) {
		return nil // interrupted while it waited
	}
	if err != nil {
		return err
	}
	defer bus.Conn().Close()
	made, err := a.make(ctx, bus, shared)
	if err != nil {
		return err
	}
	return a.stay(ctx, shared, bus.Conn(), made)
}

func (a *singleService) stay(ctx context.Context, shared service.Shared, conn *nats.Conn, s service.Service) error {
	var g service.Group
	failed := make(chan error, 1)
	healthy := func() []error { return append(g.Unhealthy(), connected(conn)) }
	stopHTTP, err := a.ServeHTTP(shared, healthy)
	if err != nil {
		return err
	}
	defer stopHTTP()
	g.Start(func(err error) { failed <- err }, s)
	select {
	case <-ctx.Done():
		shared.Log.Info("stopping; a second interrupt stops at once")
		return g.Stop()
	case err := <-failed:
		if errors.Is(err, vacancy.ErrTaken) {
			err = exit.With(exit.Usage, err)
		}
		return errors.Join(err, g.Stop())
	}
}

func connected(conn *nats.Conn) error {
	if conn.IsConnected() {
		return nil
	}
	return fmt.Errorf("NATS: %s", conn.Status())
}

package serve

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"lull/actors/jetstream"
)

// alone runs one service against a server elsewhere.
type alone struct {
	common
	server Server
	holds  *memory // the memory flag of a service that holds the pool's state, else nil
	name   string
	// check looks at the flags, before anything waits for a server.
	check func() error
	// before does what cannot wait for a server; nil for nothing.
	before func(Shared) error
	// use opens the pool. Defaults to jetstream.Open, which makes it.
	use opener
	// make is called once the pool is open.
	make func(context.Context, *jetstream.Bus, Shared) (service, error)
}

func (a *alone) command(short, long string) *cobra.Command {
	cmd := &cobra.Command{
		Use: a.name, Short: short, Long: long, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd) },
	}
	a.flags(cmd.Flags())
	a.server.Flags(cmd.Flags())
	if a.holds != nil {
		a.holds.flag(cmd.Flags())
	}
	return cmd
}

func (a *alone) run(cmd *cobra.Command) error {
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	if a.check != nil {
		if err := a.check(); err != nil {
			return err
		}
	}
	limit := uint64(0)
	if a.holds != nil {
		var err error
		if limit, err = a.holds.bytes(); err != nil {
			return err
		}
	}
	if _, err := a.server.Options(); err != nil {
		return err
	}
	shared, done, err := a.begin(ctx, a.name, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer done()
	if limit != 0 {
		shared.Hold(limit)
	}
	if a.before != nil {
		if err := a.before(shared); err != nil {
			shared.Log.Warn("what an earlier agent left is not put right yet", "error", err)
		}
	}
	if a.use == nil {
		a.use = jetstream.Open
	}
	bus, err := a.server.open(ctx, a.name, shared.Pool, a.use, shared.Log)
	if errors.Is(err, context.Canceled) {
		return nil // told to stop while it waited
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

func (a *alone) stay(ctx context.Context, shared Shared, conn *nats.Conn, s service) error {
	var g group
	failed := make(chan error, 1)
	healthy := func() []error { return append(g.healthy(), connected(conn)) }
	stopHTTP, err := a.answerHTTP(shared, healthy)
	if err != nil {
		return err
	}
	defer stopHTTP()
	g.start(func(err error) { failed <- err }, s)
	select {
	case <-ctx.Done():
		shared.Log.Info("stopping; once more stops at once")
		return g.stop()
	case err := <-failed:
		return errors.Join(err, g.stop())
	}
}

func connected(conn *nats.Conn) error {
	if conn.IsConnected() {
		return nil
	}
	return fmt.Errorf("NATS: %s", conn.Status())
}

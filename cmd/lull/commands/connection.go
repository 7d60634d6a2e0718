package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve"
	"lull/cmd/lull/serve/folder"
	"lull/subjects"
)

// connection finds the pool that a command speaks to, and connects to it. Its commands
// print by output.
type connection struct {
	server serve.Server
	pool   string
	data   string
	output
}

func (to *connection) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	to.server.Flags(f)
	f.StringVar(&to.pool, "pool", os.Getenv("LULL_POOL"), "pool of hosts ($LULL_POOL; \"default\")")
	f.StringVar(&to.data, "data", folder.Default(), "data folder of the lull on this machine, used without --nats ($LULL_DATA)")
	to.colorFlag(f)
}

// connect opens the pool: that of --nats, else that of the data folder.
func (to *connection) connect(ctx context.Context) (*client.Client, error) {
	if _, err := to.server.Options(); err != nil {
		return nil, err
	}
	if to.server.URL == "" {
		at, ok := serve.Attach(to.data)
		if !ok {
			return nil, exit.With(exit.Unreachable, fmt.Errorf(
				"no lull runs on this machine (data folder %s): start one with `lull up`, run one job with `lull run FILE`, or name a server with --nats", to.data))
		}
		to.server.URL, to.server.Token = at.URL, at.Token
		to.pool = cmp.Or(to.pool, at.Pool)
		c, err := to.dial(ctx)
		if err == nil {
			outlive(c, to.data, at)
		}
		return c, err
	}
	return to.dial(ctx)
}

func (to *connection) dial(ctx context.Context) (*client.Client, error) {
	nc, err := to.server.Dial("client")
	if err != nil {
		return nil, exit.With(exit.Unreachable, fmt.Errorf("%w: %w%s", client.ErrUnreachable, err, advice(err)))
	}
	return to.open(ctx, nc)
}

// open uses a connection for the pool of the flags.
func (to *connection) open(ctx context.Context, nc *nats.Conn) (*client.Client, error) {
	pool, err := subjects.ParsePool(cmp.Or(to.pool, string(subjects.DefaultPool)))
	if err != nil {
		nc.Close()
		return nil, exit.With(exit.Usage, err)
	}
	c, err := client.Open(ctx, nc, pool)
	switch {
	case errors.Is(err, client.ErrUnreachable):
		return nil, exit.With(exit.Unreachable, err)
	case errors.Is(err, jetstream.ErrNoPool):
		return nil, exit.With(exit.Error, err)
	case err == nil && to.server.CA != "":
		roots, err := serve.Roots(to.server.CA)
		if err != nil {
			return nil, err
		}
		c.Trust(roots)
	}
	return c, err
}

func advice(err error) string {
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired):
		return ": check --token-file or --creds"
	case errors.Is(err, nats.ErrNoServers):
		return ": check --nats and whether the server is up"
	}
	return ""
}

// view opens the pool and its ledger, up to the present end of the log.
func (to *connection) view(ctx context.Context) (*client.Client, *client.View, error) {
	c, err := to.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	v, err := c.View(ctx)
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	return c, v, nil
}

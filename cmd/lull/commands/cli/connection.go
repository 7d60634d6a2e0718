package cli

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
	"lull/cmd/lull/help"
	"lull/cmd/lull/serve/dial"
	"lull/cmd/lull/serve/folder"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
)

// Connection finds and opens the pool of a command. It also says how the command prints.
type Connection struct {
	Server dial.Server
	Pool   string
	Data   string // folder of the lull on this machine
	// Lingers is set by a command without an end of its own: the lull run that owns the folder does not wait for it.
	Lingers bool
	Output
}

// Flags adds the flags that name the pool.
func (to *Connection) Flags(cmd *cobra.Command) {
	f := cmd.Flags()
	to.Server.Flags(f)
	f.StringVar(&to.Pool, "pool", os.Getenv("LULL_POOL"), "pool of hosts ($LULL_POOL; \"default\")")
	f.StringVar(&to.Data, "data", folder.Default(), "data folder of the lull on this machine, used without --nats ($LULL_DATA)")
	help.Connection.In(f, "pool", "data")
	to.ColorFlag(f)
}

// Connect opens the pool: that of --nats, else that of the data folder.
func (to *Connection) Connect(ctx context.Context) (*client.Client, error) {
	if _, err := to.Server.Options(); err != nil {
		return nil, err
	}
	if to.Server.URL == "" {
		if err := to.visit(); err != nil {
			return nil, err
		}
		at, ok := local.Attach(to.Data)
		if !ok {
			return nil, exit.With(exit.Unreachable, folder.Absent(to.Data))
		}
		to.Server.URL, to.Server.Token = at.URL, at.Token
		to.Pool = cmp.Or(to.Pool, at.Pool)
		c, err := to.dial(ctx)
		if err == nil {
			abortWithOwner(c, to.Data, at)
		}
		return c, err
	}
	return to.dial(ctx)
}

// visit keeps the owner of the data folder from stopping while this process uses its services.
func (to *Connection) visit() error {
	if to.Lingers {
		return nil
	}
	if _, err := folder.Visit(to.Data); err != nil {
		return exit.With(exit.Unreachable, err)
	}
	return nil
}

func (to *Connection) dial(ctx context.Context) (*client.Client, error) {
	nc, err := to.Server.Dial("client")
	if err != nil {
		return nil, exit.With(exit.Unreachable, fmt.Errorf("%w: %w%s", client.ErrUnreachable, err, advice(err)))
	}
	return to.Open(ctx, nc)
}

// Open uses a NATS connection for the pool of the flags.
func (to *Connection) Open(ctx context.Context, nc *nats.Conn) (*client.Client, error) {
	pool, err := subjects.ParsePool(cmp.Or(to.Pool, string(subjects.DefaultPool)))
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
	case err == nil && to.Server.CA != "":
		roots, err := dial.Roots("--tls-ca", to.Server.CA)
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

// View opens the pool and its ledger, up to the present end of the log.
func (to *Connection) View(ctx context.Context) (*client.Client, *client.View, error) {
	return to.ViewIf(ctx, func(*client.Client) error { return nil })
}

// ViewIf is View for a command that writes. It first calls allowed, which returns an error if the key lacks
// the right.
func (to *Connection) ViewIf(ctx context.Context, allowed func(*client.Client) error) (*client.Client, *client.View, error) {
	c, err := to.Connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := allowed(c); err != nil {
		c.Close()
		return nil, nil, err
	}
	v, err := c.View(ctx)
	if err != nil {
		c.Close()
		return nil, nil, err
	}
	return c, v, nil
}

package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/colorprofile"
	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"lull/actors/jetstream"
	"lull/client"
	"lull/cmd/lull/exit"
	"lull/cmd/lull/serve"
	"lull/cmd/lull/serve/folder"
	"lull/subjects"
)

// house is the pool that a command speaks to, and how its answer is shown.
type house struct {
	server  serve.Server
	pool    string
	data    string
	noColor bool
}

func (h *house) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	h.server.Flags(f)
	f.StringVar(&h.pool, "pool", os.Getenv("LULL_POOL"), "pool of hosts ($LULL_POOL; \"default\")")
	f.StringVar(&h.data, "data", folder.Default(), "data folder of the lull on this machine, used without --nats ($LULL_DATA)")
	f.BoolVar(&h.noColor, "no-color", false, "no colours ($NO_COLOR)")
}

// connect opens the pool: that of --nats, else that of the data folder.
func (h *house) connect(ctx context.Context) (*client.Client, error) {
	if _, err := h.server.Options(); err != nil {
		return nil, err
	}
	if h.server.URL == "" {
		at, ok := serve.Attach(h.data)
		if !ok {
			return nil, exit.With(exit.Unreachable, fmt.Errorf(
				"no lull runs on this machine (data folder %s): start one with `lull up`, run one job with `lull run FILE`, or name a server with --nats", h.data))
		}
		h.server.URL, h.server.Token = at.URL, at.Token
		h.pool = cmp.Or(h.pool, at.Pool)
		c, err := h.dial(ctx)
		if err == nil {
			outlive(c, h.data, at)
		}
		return c, err
	}
	return h.dial(ctx)
}

func (h *house) dial(ctx context.Context) (*client.Client, error) {
	nc, err := h.server.Dial("client")
	if err != nil {
		return nil, exit.With(exit.Unreachable, fmt.Errorf("%w: %w%s", client.ErrUnreachable, err, advice(err)))
	}
	return h.open(ctx, nc)
}

// open uses a connection for the pool of the flags.
func (h *house) open(ctx context.Context, nc *nats.Conn) (*client.Client, error) {
	pool, err := subjects.ParsePool(cmp.Or(h.pool, string(subjects.DefaultPool)))
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
	case err == nil && h.server.CA != "":
		roots, err := serve.Roots(h.server.CA)
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
func (h *house) view(ctx context.Context) (*client.Client, *client.View, error) {
	c, err := h.connect(ctx)
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

// out is where a command prints, in the colours that are wanted and known.
func (h *house) out(cmd *cobra.Command) io.Writer {
	w := colorprofile.NewWriter(cmd.OutOrStdout(), os.Environ())
	w.Profile = h.colors(w.Profile)
	return w
}

func (h *house) colors(known colorprofile.Profile) colorprofile.Profile {
	if h.noColor {
		return min(known, colorprofile.ASCII)
	}
	return known
}

// terminal returns the terminal behind w, if it is one that can be drawn on.
func terminal(w io.Writer) (*os.File, bool) {
	f, ok := w.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// hint adds to a usage error where to read on.
func hint(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; see `%s --help`", err, cmd.CommandPath())
}

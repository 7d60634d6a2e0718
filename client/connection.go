package client

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"
)

// Connected reports whether the server can be reached at this moment. A lost
// connection is sought again for ever.
func (c *Client) Connected() bool { return c.nc.IsConnected() }

// Server is the address of the server, without secrets.
func (c *Client) Server() string { return c.server }

// WhenLost calls lost each time the connection is lost, also if it is now, on a goroutine of its
// own. ctx ends when the client is closed or gives up.
func (c *Client) WhenLost(lost func(ctx context.Context)) {
	begin := func() {
		if c.gone.Err() == nil {
			go lost(c.gone)
		}
	}
	c.nc.SetDisconnectErrHandler(func(*nats.Conn, error) { begin() })
	if !c.Connected() { // the server may have ended just before
		begin()
	}
}

// Abort ends every View of the client with err: what it follows will not come
// back.
func (c *Client) Abort(err error) { c.abort(err) }

// whileOpen returns a context that ends with ctx, or with that of a client that is closed or gives up. forget ends it.
func whileOpen(ctx, gone context.Context) (_ context.Context, forget func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(gone, func() { cancel(context.Cause(gone)) })
	return ctx, func() { stop(); cancel(nil) }
}

// interrupted is why a reading of the log under ctx came to an end.
func interrupted(ctx context.Context) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return errors.New("the connection to the log was closed")
}

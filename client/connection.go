package client

import (
	"context"

	"github.com/nats-io/nats.go"
)

// Connected reports whether the server can be reached at this moment. A lost
// connection is sought again for ever.
func (c *Client) Connected() bool { return c.nc.IsConnected() }

// Server is the address of the server, without secrets.
func (c *Client) Server() string { return c.server }

// WhenLost calls lost each time the connection is lost, on a goroutine of its
// own. ctx ends when the client is closed or gives up.
func (c *Client) WhenLost(lost func(ctx context.Context)) {
	c.nc.SetDisconnectErrHandler(func(*nats.Conn, error) {
		if c.gone.Err() == nil {
			go lost(c.gone)
		}
	})
}

// Abort ends every View of the client with err: what it follows will not come
// back.
func (c *Client) Abort(err error) { c.abort(err) }

package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
)

// ErrNoPool says that the server has no such pool.
var ErrNoPool = errors.New("no such pool on this server")

// SetPace sets the least time between two reads of the log by Follow on an attached bus. The
// default is none, because a host starts tasks when it reads their assignments. A client that
// shows the log to people sets one: a read costs the server and the client more than most
// messages do. It must not run beside Follow.
func (b *Bus) SetPace(d time.Duration) { b.pace = d }

// Attach opens the bus of an existing pool without making streams or consumers. Hosts
// and clients use it: their keys have no right to make any, and a typing error in
// --pool must not create a pool. The bus has no leases. The error is ErrNoPool if
// the pool was never opened.
func Attach(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (*Bus, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	b := &Bus{pool: pool, nc: nc, js: js, attached: true}
	_, err = b.describe(ctx, pool.Log())
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamNotFound {
		return nil, fmt.Errorf("%w: %q", ErrNoPool, pool)
	}
	return b, err
}

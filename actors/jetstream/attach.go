package jetstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
)

// ErrNoPool says that the server has no such pool.
var ErrNoPool = errors.New("no such pool on this server")

// Attach uses a pool that exists and makes nothing: for clients, whose keys
// may not, and whose typing error in --pool should not found a pool. The bus
// has no leases. The error is ErrNoPool if the pool was never opened.
func Attach(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (*Bus, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	b := &Bus{pool: pool, nc: nc, js: js}
	if b.snapshots, err = b.existing(ctx, pool.Snapshots()); err != nil {
		return nil, err
	}
	b.objects, err = b.existing(ctx, pool.Objects())
	return b, err
}

func (b *Bus) existing(ctx context.Context, bucket string) (jetstream.ObjectStore, error) {
	store, err := b.js.ObjectStore(ctx, bucket)
	switch {
	case errors.Is(err, jetstream.ErrBucketNotFound):
		return nil, fmt.Errorf("%w: %q", ErrNoPool, b.pool)
	case err != nil:
		return nil, fmt.Errorf("bucket %s: %w", bucket, err)
	}
	return store, nil
}

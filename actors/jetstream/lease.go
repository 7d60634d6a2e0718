package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// leaseBucket lives in memory: a lease that goes with the server is taken
// anew, and excludes no instance anyway; the fence does.
func (b *Bus) leaseBucket(ctx context.Context) (jetstream.KeyValue, error) {
	kv, err := b.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
		Bucket: b.pool.Leases(), Storage: jetstream.MemoryStorage, LimitMarkerTTL: time.Second,
	})
	if errors.Is(err, jetstream.ErrBucketExists) {
		return b.js.KeyValue(ctx, b.pool.Leases())
	}
	return kv, err
}

// Lease takes or renews a lease: the key's value is the holder. A server that
// was restarted has forgotten the bucket and does not answer for it: then Lease makes it
// again, once a call.
func (b *Bus) Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	held, err := b.lease(ctx, name, holder, ttl)
	if forgotten(err) {
		if _, err = b.leaseBucket(ctx); err == nil {
			held, err = b.lease(ctx, name, holder, ttl)
		}
	}
	if err != nil {
		return false, fmt.Errorf("lease %s: %w", name, connectionError(err))
	}
	return held, nil
}

func forgotten(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) ||
		errors.Is(err, jetstream.ErrStreamNotFound)
}

func (b *Bus) lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error) {
	entry, err := b.leases.Get(ctx, name)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		_, err = b.leases.Create(ctx, name, []byte(holder), jetstream.KeyTTL(ttl))
	case err != nil:
	case string(entry.Value()) != holder:
		return false, nil
	default:
		err = b.renew(ctx, name, holder, entry.Revision(), ttl)
	}
	if taken(err) {
		return false, nil
	}
	return err == nil, err
}

// renew publishes on the key's subject itself: the bucket's Update would drop
// the key's TTL, and the lease would last for ever.
func (b *Bus) renew(ctx context.Context, name, holder string, revision uint64, ttl time.Duration) error {
	m := nats.NewMsg("$KV." + b.pool.Leases() + "." + name)
	m.Data = []byte(holder)
	m.Header.Set(expectSeq, strconv.FormatUint(revision, 10))
	_, err := b.js.PublishMsg(ctx, m, jetstream.WithMsgTTL(ttl))
	return err
}

func taken(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) ||
		errors.As(err, &api) && (api.ErrorCode == wrongLastSequence || api.ErrorCode == wrongLastSequenceConstant)
}

// Release deletes the key if holder has it.
func (b *Bus) Release(ctx context.Context, name, holder string) error {
	entry, err := b.leases.Get(ctx, name)
	if errors.Is(err, jetstream.ErrKeyNotFound) || forgotten(err) {
		return nil
	}
	if err == nil && string(entry.Value()) == holder {
		err = b.leases.Delete(ctx, name, jetstream.LastRevision(entry.Revision()))
	}
	if err != nil && !taken(err) {
		return fmt.Errorf("release lease %s: %w", name, err)
	}
	return nil
}

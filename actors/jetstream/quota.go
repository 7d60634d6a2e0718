package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// Quotas keep clients' messages from taking the log's room on the disk. Each bucket or stream that
// clients write to may use this many bytes, or a quarter of what the server can still reserve if
// that is less. When it is full, it refuses messages.
const (
	inboxQuota   = 1 << 30
	listsQuota   = 8 << 30
	objectsQuota = 1 << 30 // task lists of older clients
	historyQuota = 4 << 30 // of 30,000 hosts
	leastQuota   = 16 << 20
	// spare is the multiple of a quota that the server must be able to reserve.
	spare = 4
)

// quotas sets the quotas of streams that have none: new ones, and those that an older
// version made. A quota that an operator set stays.
func (b *Bus) quotas(ctx context.Context) error {
	if err := b.quota(ctx, b.pool.Inbox(), inboxQuota); err != nil {
		return err
	}
	if err := b.quota(ctx, b.pool.Lists(), listsQuota); err != nil {
		return err
	}
	if err := b.quota(ctx, b.pool.History(), historyQuota); err != nil {
		return err
	}
	return b.quota(ctx, "OBJ_"+b.pool.Objects(), objectsQuota)
}

func (b *Bus) quota(ctx context.Context, name string, bytes int64) error {
	stream, err := b.js.Stream(ctx, name)
	if err != nil {
		return fmt.Errorf("look at stream %s: %w", name, err)
	}
	config := stream.CachedInfo().Config
	config.Discard = jetstream.DiscardNew
	for ; config.MaxBytes <= 0 && bytes >= leastQuota; bytes /= 2 {
		if err = b.reserve(ctx, config, bytes*spare); err == nil {
			err = b.reserve(ctx, config, bytes)
		}
		if !lacksResources(err) {
			break
		}
	}
	if err != nil && !lacksResources(err) {
		return fmt.Errorf("limit the size of stream %s: %w", name, err)
	}
	return nil
}

func (b *Bus) reserve(ctx context.Context, config jetstream.StreamConfig, bytes int64) error {
	config.MaxBytes = bytes
	_, err := b.js.UpdateStream(ctx, config)
	return err
}

func lacksResources(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains([]jetstream.ErrorCode{insufficientResources, accountResources, storageResources}, api.ErrorCode)
}

// MakeRoom drops the inbox's messages below a sequence if the inbox is more than half
// full. Before that they stay, so that an operator can read what was submitted.
func (b *Bus) MakeRoom(ctx context.Context, below uint64) error {
	stream, err := b.js.Stream(ctx, b.pool.Inbox())
	if err != nil {
		return fmt.Errorf("make room in the inbox: %w", connectionError(err))
	}
	info := stream.CachedInfo()
	if info.Config.MaxBytes <= 0 || info.State.Bytes <= uint64(info.Config.MaxBytes)/2 || below <= info.State.FirstSeq {
		return nil
	}
	if err := stream.Purge(ctx, jetstream.WithPurgeSequence(below)); err != nil {
		return fmt.Errorf("make room in the inbox below %d: %w", below, connectionError(err))
	}
	return nil
}

// ErrQuota says that a stream has no room for a client's message.
var ErrQuota = errors.New("the pool has no room for it now: try again when queued messages have been handled (lull doctor shows what is full)")

// ExplainError turns the server's error for a full stream into ErrQuota.
func ExplainError(err error) error {
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == storeFailed {
		return fmt.Errorf("%w (%w)", ErrQuota, err)
	}
	return connectionError(err)
}

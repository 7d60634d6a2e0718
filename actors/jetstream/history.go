package jetstream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// PutHistory keeps a block of history.
func (b *Bus) PutHistory(ctx context.Context, m subjects.Message) error {
	if err := actors.CheckHistory(b.pool, m); err != nil {
		return err
	}
	_, err := b.js.PublishMsg(ctx, &nats.Msg{Subject: m.Subject, Data: m.Body})
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &api) && errors.Is(errorOf(api.ErrorCode), actors.ErrFull):
		return fmt.Errorf("%w (%w)", actors.ErrHistoryFull, err)
	case errors.Is(err, jetstream.ErrNoStreamResponse):
		err = errors.New("the pool has no stream of history: restart its services with this version of lull, or the key may not write there")
	}
	return fmt.Errorf("put history on %s: %w", m.Subject, connectionError(err))
}

// HistoryInfo describes the stream of history.
func (b *Bus) HistoryInfo(ctx context.Context) (actors.LogInfo, error) {
	return b.streamInfo(ctx, b.pool.History())
}

// ReadHistory reads by Direct Get: a consumer would need a right that no host's or operator's
// key has.
func (b *Bus) ReadHistory(ctx context.Context, from uint64, filter string, take func(actors.Delivery) error) (uint64, error) {
	next := max(from, 1)
	for n := -1; n != 0; {
		var refused error
		var err error
		n, err = b.page(ctx, b.pool.History(), filter, next, func(d actors.Delivery) {
			next = d.Seq + 1
			if refused == nil {
				refused = take(d)
			}
		})
		if err = errors.Join(refused, err); err != nil {
			return next, err
		}
	}
	return next, ctx.Err()
}

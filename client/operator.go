package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Append appends what an operator says of hosts or the pool to the log: all of it
// or nothing. It needs no service: each host reads it for itself, so that the
// kill switch works when everything else is down. s is the present state.
//
// Each event's subject ends with the connection's user, if there is one, because the
// server's permissions may demand it. Whether that proves anything is for readers to
// say: see subjects.Led. Services and agents of earlier releases cannot read such
// subjects; where one of those runs, the user stands in the event as a claim.
func (c *Client) Append(ctx context.Context, s *ledger.State, events ...subjects.Event) error {
	batch := make([]subjects.Message, len(events))
	for i, e := range events {
		subjects.Sign(e, c.user)
		if !s.Reads(subjects.FormatSigned, subjects.HostOf(e)) {
			subjects.Unsign(e)
		}
		m, err := subjects.Encode(c.pool, e)
		if err != nil {
			return err
		}
		batch[i] = m
	}
	for len(batch) > 0 {
		n := min(len(batch), actors.MaxBatch)
		if _, err := c.bus.Append(ctx, batch[:n], actors.Fence{}); err != nil {
			return c.forbidden(batch[0].Subject, err)
		}
		batch = batch[n:]
	}
	return nil
}

// forbidden turns a server's refusal to publish on a subject into advice. Where each key
// has an account of its own the server refuses nothing: the message stays in that
// account, and no service answers.
func (c *Client) forbidden(subject string, err error) error {
	refused := errors.Is(err, nats.ErrNoResponders) || errors.Is(c.nc.LastError(), nats.ErrPermissionViolation)
	unanswered := c.user != "" && errors.Is(err, actors.ErrUnknown) && c.nc.IsConnected()
	switch {
	case refused:
		return fmt.Errorf("this key may not publish on %s: use an operator's key, and upgrade services and agents of an earlier release first: %w", subject, err)
	case unanswered:
		return fmt.Errorf("no service answers on %s: use an operator's key if this is none: %w", subject, err)
	}
	return err
}

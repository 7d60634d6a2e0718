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

// Append appends an operator's events about hosts, queues or the pool to the log: all or none. It needs no
// service, because each host reads the log itself. So pausing works when all services are down. s is the
// present state.
//
// Each event's subject ends with the connection's user, if there is one, because the
// server's permissions may demand it. Whether that proves the user, readers decide: see
// subjects.Led. Services and agents of earlier releases cannot read such
// subjects; where one of those runs, the event names the user as a claim.
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
		if err := c.may(ctx, m.Subject, actOrder); err != nil {
			return err
		}
		batch[i] = m
	}
	for len(batch) > 0 {
		n := min(len(batch), actors.MaxBatch)
		if _, err := c.bus.Append(ctx, batch[:n], actors.Fence{}); err != nil {
			return c.explainFailure(ctx, batch[0].Subject, actOrder, err)
		}
		batch = batch[n:]
	}
	return nil
}

// actOrder describes what Append does, for errors about rights.
const actOrder = "give orders to hosts and queues"

// MayAppend returns ErrForbidden if the connection has no right to append an event such as e. Commands
// call it before they check that the subject of e exists, so that a user without the right gets that
// error first. It changes e.
func MayAppend(ctx context.Context, c *Client, e subjects.Event) error {
	subjects.Sign(e, c.user)
	signed, err := subjects.Encode(c.pool, e)
	if err != nil {
		return err
	}
	refusal := c.may(ctx, signed.Subject, actOrder)
	if refusal == nil {
		return nil
	}
	subjects.Unsign(e) // where an earlier release runs, Append writes this form
	plain, err := subjects.Encode(c.pool, e)
	if err != nil || c.may(ctx, plain.Subject, actOrder) != nil {
		return refusal
	}
	return nil
}

// explainFailure turns the failure of an append into advice. The reason may be that the key lacks the right.
func (c *Client) explainFailure(ctx context.Context, subject, act string, err error) error {
	if forbidden := c.refused(ctx, subject, act); forbidden != nil {
		return forbidden
	}
	unknown := c.allowed(ctx) == nil && c.user != "" && c.nc.IsConnected()
	if unknown && (errors.Is(err, nats.ErrNoResponders) || errors.Is(err, actors.ErrUnknown)) {
		return fmt.Errorf("nothing answers on %s: use an operator's key if this is none: %w", subject, err)
	}
	return unacknowledged(subject, err)
}

// unacknowledged says what to do about a message without a known outcome: a server with a full disk does
// not answer.
func unacknowledged(what string, err error) error {
	if !errors.Is(err, actors.ErrUnknown) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("the server has not acknowledged %s: look whether its disk is full and whether it is reachable (lull doctor), "+
		"and give the command again, which does no harm if it has taken effect: %w", what, err)
}

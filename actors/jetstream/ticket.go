package jetstream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// ticketWait bounds the wait for a ticket, which a host issues without reading a disk.
const ticketWait = 5 * time.Second

// Ticket asks a host for a ticket to the outputs and logs that it keeps. The subject
// is the host's Pool.Ticket or Pool.Pass.
func (b *Bus) Ticket(ctx context.Context, subject string) (answer subjects.TicketAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, ticketWait)
	defer cancel()
	m, err := b.nc.RequestWithContext(ctx, subject, nil)
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return answer, fmt.Errorf("no host answers on %s: the host is away, or this key may not read what hosts keep: %w", subject, err)
	case err != nil:
		return answer, fmt.Errorf("ask on %s for a ticket: %w", subject, err)
	}
	if err := subjects.Unmarshal(m.Data, &answer); err != nil {
		return answer, fmt.Errorf("the ticket from %s is not readable: %w", subject, err)
	}
	return answer, nil
}

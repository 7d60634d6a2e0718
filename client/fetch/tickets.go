package fetch

import (
	"context"
	"fmt"
	"sync"
	"time"

	"lull/subjects"
)

// tickets keeps the hosts' tickets until shortly before they expire.
type tickets struct {
	mu struct {
		sync.Mutex
		of map[string]subjects.TicketAnswer // by host
	}
}

// renewBefore is how long before its expiry a ticket is no longer used, because clocks differ.
const renewBefore = time.Minute

func (t *tickets) validTicket(host string, now time.Time) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept, ok := t.mu.of[host]
	return kept.Ticket, ok && now.Add(renewBefore).Before(time.Unix(kept.Until, 0))
}

func (t *tickets) keepTicket(host string, a subjects.TicketAnswer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.mu.of == nil {
		t.mu.of = map[string]subjects.TicketAnswer{}
	}
	t.mu.of[host] = a
}

// drop removes a refused ticket, unless another one has already replaced it.
func (t *tickets) drop(host, ticket string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.mu.of[host].Ticket == ticket {
		delete(t.mu.of, host)
	}
}

// bearer returns the ticket or token for a host, and whether it has just been issued.
func (c *Client) bearer(ctx context.Context, from subjects.OutputHost) (bearer string, fresh bool, err error) {
	if from.Token != "" || c.Ticket == nil {
		return from.Token, true, nil
	}
	if kept, ok := c.tickets.validTicket(from.Host, time.Now()); ok {
		return kept, false, nil
	}
	answer, err := c.Ticket(ctx, from.Host)
	if err != nil {
		return "", false, fmt.Errorf("ticket: %w", err)
	}
	c.tickets.keepTicket(from.Host, answer)
	return answer.Ticket, true, nil
}

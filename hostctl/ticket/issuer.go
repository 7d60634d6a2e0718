package ticket

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Bus delivers requests and answers. actors.Bus implements it.
type Bus interface {
	Listen(ctx context.Context, subject string) (<-chan actors.Delivery, error)
	Publish(subject string, body []byte) error
}

// Issuer answers requests for an office's tickets.
type Issuer struct {
	Office *Office
	Bus    Bus
	// Subjects are the subjects of the requests. Keys of users and of other hosts ask on different ones,
	// since they have different rights: see subjects.Pool.Pass.
	Subjects []string
	URL      string // where the host serves
	Logger   *slog.Logger
}

// Run answers until ctx ends.
func (i *Issuer) Run(ctx context.Context) {
	var listeners sync.WaitGroup
	defer listeners.Wait()
	for _, subject := range i.Subjects {
		listeners.Go(func() { i.answer(ctx, subject) })
	}
}

// retryPause is the pause before a subscription that failed is tried again.
const retryPause = time.Second

// answer answers the requests on one subject.
func (i *Issuer) answer(ctx context.Context, subject string) {
	for ctx.Err() == nil {
		requests, err := i.Bus.Listen(ctx, subject)
		if err != nil {
			i.Logger.Warn("tickets cannot be requested yet; trying again", "subject", subject, "error", err)
			select {
			case <-time.After(retryPause):
			case <-ctx.Done():
			}
			continue
		}
		for d := range requests {
			if d.Reply != "" {
				i.send(d.Reply)
			}
		}
	}
}

// send sends a new ticket.
func (i *Issuer) send(reply string) {
	ticket, until := i.Office.Issue(time.Now())
	body, err := subjects.Marshal(subjects.TicketAnswer{Ticket: ticket, Until: until.Unix(), URL: i.URL})
	if err == nil {
		err = i.Bus.Publish(reply, body)
	}
	if err != nil {
		i.Logger.Warn("a ticket was not sent", "error", err)
	}
}

package hostctl

import (
	"context"

	"lull/subjects"
)

// Lookup finds what the facts about one host do not hold.
type Lookup interface {
	// Submitted returns the submitted event of a job that the ledger accepted: that
	// of sequence doc, or the job's last one if doc is 0.
	Submitted(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error)
	// Object returns an object of the pool's bucket. The error wraps
	// fs.ErrNotExist when it is known that there is none of this name, and
	// fs.ErrInvalid when it has more than spec.MaxChunk bytes.
	Object(ctx context.Context, name string) ([]byte, error)
	// Ask sends a question on Pool.Ask(what) and returns the answer.
	Ask(ctx context.Context, what string, body []byte) ([]byte, error)
	// Ticket asks a host for a ticket to its outputs: see fetch.Client.
	Ticket(ctx context.Context, host string) (subjects.TicketAnswer, error)
}

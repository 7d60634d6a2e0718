// Package lookup answers an agent's questions from a pool on JetStream: what a
// job is, what a list of splits holds, what a service knows.
package lookup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
	"lull/subjects/spec"
)

const (
	// askPatience bounds the wait for one answer, over all tries.
	askPatience = 5 * time.Second
	// askTries and askPause bridge the short time in which a service restarts.
	askTries = 4
	askPause = 250 * time.Millisecond
)

// Lookup reads a pool's log and objects over a bus that the caller closes. It implements
// hostctl.Lookup.
type Lookup struct {
	nc   *nats.Conn
	bus  *jetstream.Bus
	pool subjects.Pool
}

// New returns a Lookup that uses the bus of an open pool.
func New(bus *jetstream.Bus) *Lookup { return &Lookup{bus.Conn(), bus, bus.Pool()} }

// Submitted returns the job's submitted event. doc is the event's sequence in the log, 0 if unknown. If the
// event was trimmed from the log, Submitted asks the slotter for it.
func (l *Lookup) Submitted(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error) {
	ctx, stop := context.WithTimeout(ctx, askPatience)
	defer stop()
	of := strings.TrimSuffix(l.pool.OfJob(job), ">")
	subject := of + "submitted"
	read := func() (actors.Delivery, error) { return l.bus.At(ctx, doc) }
	if doc == 0 { // an older slotter does not send the sequence
		read = func() (actors.Delivery, error) { return l.bus.Last(ctx, subject) }
	}
	d, err := read()
	switch {
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", subject, err)
	case d.Seq == 0:
		s, err := l.document(ctx, job, doc)
		if err != nil {
			return nil, fmt.Errorf("read %s: the log no longer keeps it, and the slotter: %w", subject, err)
		}
		return s, nil
	case !strings.HasPrefix(d.Subject, of):
		return nil, fmt.Errorf("entry %d of the log is no document of job %s: it is on %s", doc, job, d.Subject)
	}
	e, err := subjects.Decode(l.pool, d.Subject, d.Body)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", subject, err)
	}
	return documentIn(e)
}

// documentIn returns the document of a submission, or of a retry that pinned the inputs anew.
func documentIn(e subjects.Event) (*subjects.Submitted, error) {
	switch e := e.(type) {
	case *subjects.Submitted:
		return e, nil
	case *subjects.Retried:
		if e.Doc != nil {
			return e.Doc, nil
		}
	}
	return nil, fmt.Errorf("the entry of job %s has no document", subjects.JobOf(e))
}

// document asks the slotter for a job's submitted event. The slotter keeps those of all jobs that have not
// ended.
func (l *Lookup) document(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error) {
	body, err := subjects.Marshal(&subjects.DocumentAsk{Job: job, Seq: doc})
	if err != nil {
		return nil, err
	}
	reply, err := l.Ask(ctx, subjects.AskDocument, body)
	if err != nil {
		return nil, err
	}
	var answer subjects.DocumentAnswer
	if err := subjects.Unmarshal(reply, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" || answer.Submitted == nil {
		return nil, errors.New(answer.Error)
	}
	answer.Submitted.Job = job
	return answer.Submitted, answer.Submitted.Spec.Validate()
}

// Object reads a chunk of a task list. The list is a blob of digests, one for each chunk; the chunk is the
// blob of that digest. A list of an older client is stored as objects of the bucket instead.
func (l *Lookup) Object(ctx context.Context, name string) ([]byte, error) {
	list, k, ok := spec.ParseChunkName(name)
	if !ok {
		return l.bus.Object(ctx, name, spec.MaxChunk)
	}
	index, err := l.bus.ReadBlob(ctx, list, int(k)*sha256.Size, sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", list, err)
	}
	if len(index) < sha256.Size {
		return nil, fmt.Errorf("list %s has no chunk %d: %w", list, k, fs.ErrInvalid)
	}
	chunk, err := l.bus.ReadBlob(ctx, hex.EncodeToString(index), 0, spec.MaxChunk+1)
	switch {
	case err != nil:
		return nil, fmt.Errorf("chunk %d of list %s: %w", k, list, err)
	case len(chunk) > spec.MaxChunk:
		return nil, fmt.Errorf("chunk %d of list %s has more than %d bytes: %w", k, list, spec.MaxChunk, fs.ErrInvalid)
	}
	return chunk, nil
}

// Ticket asks a host for a ticket, with which this host may fetch its outputs.
func (l *Lookup) Ticket(ctx context.Context, host string) (subjects.TicketAnswer, error) {
	return l.bus.Ticket(ctx, l.pool.Pass(host))
}

// Ask sends a question to the service that answers such questions. If no service listens, it asks again a
// few times.
func (l *Lookup) Ask(ctx context.Context, what string, body []byte) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, askPatience)
	defer stop()
	for left := askTries - 1; ; left-- {
		m, err := l.nc.RequestWithContext(ctx, l.pool.Ask(what), body)
		if err == nil {
			return m.Data, nil
		}
		if !errors.Is(err, nats.ErrNoResponders) || left == 0 {
			return nil, fmt.Errorf("ask for %s (does the slotter run?): %w", what, err)
		}
		select {
		case <-time.After(askPause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

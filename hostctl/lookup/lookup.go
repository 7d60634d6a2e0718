// Package lookup answers an agent's questions from a pool on JetStream: what a
// job is, what a list of splits holds, what a service knows.
package lookup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
	"lull/subjects/spec"
)

const (
	// askPatience bounds the wait for one answer.
	askPatience = 5 * time.Second
	// A service that restarts answers again within a moment.
	askTries = 4
	askPause = 250 * time.Millisecond
)

// Lookup reads a pool's log and objects over a connection that stays the
// caller's. It is a hostctl.Lookup.
type Lookup struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	pool subjects.Pool
}

// New uses a pool that exists.
func New(nc *nats.Conn, pool subjects.Pool) (*Lookup, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	return &Lookup{nc, js, pool}, nil
}

// Submitted reads the job's submitted event from the log.
func (l *Lookup) Submitted(ctx context.Context, job string) (*subjects.Submitted, error) {
	ctx, stop := context.WithTimeout(ctx, askPatience)
	defer stop()
	log, err := l.js.Stream(ctx, l.pool.Log())
	if err != nil {
		return nil, fmt.Errorf("log of pool %s: %w", l.pool, err)
	}
	subject := strings.TrimSuffix(l.pool.OfJob(job), ">") + "submitted"
	m, err := log.GetLastMsgForSubject(ctx, subject)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", subject, err)
	}
	e, err := subjects.Decode(l.pool, m.Subject, m.Data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", subject, err)
	}
	submitted, ok := e.(*subjects.Submitted)
	if !ok {
		return nil, fmt.Errorf("read %s: it holds a %T", subject, e)
	}
	return submitted, nil
}

// Object reads an object of the pool's bucket.
func (l *Lookup) Object(ctx context.Context, name string) ([]byte, error) {
	objects, err := l.js.ObjectStore(ctx, l.pool.Objects())
	if err != nil {
		return nil, fmt.Errorf("objects of pool %s: %w", l.pool, err)
	}
	info, err := objects.GetInfo(ctx, name)
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		return nil, fmt.Errorf("object %s: %w", name, fs.ErrNotExist)
	case err != nil:
		return nil, fmt.Errorf("object %s: %w", name, err)
	case info.Size > spec.MaxChunk: // anybody may name any object a list
		return nil, fmt.Errorf("object %s has %d bytes, a list of inputs has %d at most: %w", name, info.Size, spec.MaxChunk, fs.ErrInvalid)
	}
	b, err := objects.GetBytes(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("object %s: %w", name, err)
	}
	return b, nil
}

// Ask sends a question; while nobody answers, it asks again a few times.
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

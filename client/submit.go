package client

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"lull/actors"
	"lull/actors/jetstream"
	"lull/subjects"
	"lull/subjects/spec"
)

// NewID returns a submission's id: sortable by time, unique, a subject token.
func NewID() string { return strings.ToLower(ulid.Make().String()) }

// Submit publishes a document with expanded inputs, and returns the job's id once the pool can't
// lose it any more. It tries again under the same id for as long as ctx lasts, which does not make
// a second job. The verdict of admission comes later, in the log.
func (c *Client) Submit(ctx context.Context, doc *spec.Doc, id string) (job string, err error) {
	return c.submit(ctx, doc, id, acknowledged{c.js})
}

func (c *Client) submit(ctx context.Context, doc *spec.Doc, id string, to inbox) (job string, err error) {
	defer func() {
		if err != nil {
			job, err = "", fmt.Errorf("submit %s: %w", doc.Name, err)
		}
	}()
	body, err := payload(doc, c.nc.MaxPayload())
	if err != nil {
		return "", err
	}
	user, err := c.sender(ctx)
	if err != nil {
		return "", err
	}
	subject := c.pool.Submit()
	if user != "" {
		subject = c.pool.SubmitBy(user)
	}
	if err := c.may(ctx, subject, actSubmit); err != nil {
		return "", err
	}
	seq, err := c.publish(ctx, subject, id, body, to)
	if user == "" {
		return subjects.JobID(doc.Name, Who(), id, seq), err
	}
	return subjects.JobIDBy(doc.Name, user, id, seq), err
}

// payload returns what is sent of a document.
func payload(doc *spec.Doc, most int64) ([]byte, error) {
	body, err := doc.JSON()
	if err == nil && int64(len(body)) > most {
		err = fmt.Errorf("the document has %d bytes when it is sent, the server takes %d: move long lists to a file and name it under each", len(body), most)
	}
	return body, err
}

// publish puts a message into the inbox and returns its sequence there. The server drops a message
// with an id that it received a moment ago, even from another client, so publish sends it until it
// is kept. Admission recognises repeats. The inbox of an older version drops repeats for hours.
// There, publish assumes that the message with the same id is its own.
func (c *Client) publish(ctx context.Context, subject, id string, body []byte, to inbox) (uint64, error) {
	m := &nats.Msg{Subject: subject, Data: body, Header: nats.Header{
		nats.MsgIdHdr:      {id},
		headerClient:       {Who()},
		actors.Traceparent: {traceparent()},
	}}
	for dropped := 0; ; {
		ack, err := to.publish(ctx, m)
		if err == nil && ack.Duplicate {
			dropped++
		}
		if err == nil && (!ack.Duplicate || dropped > maxDropped) {
			return ack.Sequence, nil
		}
		if err != nil && jetstream.Forbidden(c.nc, subject) {
			return 0, c.refused(ctx, subject, actSubmit)
		}
		if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return 0, fmt.Errorf("the server has not acknowledged the job, which may be stored nevertheless (lull jobs): look whether its disk is full (lull doctor), "+
				"and submit with --id %s, which makes no second job: %w", id, err)
		}
		if err != nil && !isTransient(err) {
			return 0, jetstream.ExplainError(err)
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return 0, errors.Join(ctx.Err(), err)
		}
	}
}

// inbox stores messages and returns the server's acknowledgements.
type inbox interface {
	publish(ctx context.Context, m *nats.Msg) (*upstream.PubAck, error)
}

// acknowledged is an inbox for senders that need no verdict.
type acknowledged struct{ upstream.JetStream }

func (a acknowledged) publish(ctx context.Context, m *nats.Msg) (*upstream.PubAck, error) {
	return a.PublishMsg(ctx, m)
}

const (
	headerClient = "Lull-Client"
	retryPause   = 250 * time.Millisecond
	actSubmit    = "submit jobs"
	maxDropped   = 8 // pauses that last many times longer than ids are remembered
)

// isTransient reports whether an error of a publish may go away by itself: the
// server restarts, elects a leader, or the connection is made anew.
func isTransient(err error) bool {
	for _, p := range []error{
		nats.ErrDisconnected, nats.ErrConnectionReconnecting, nats.ErrReconnectBufExceeded,
		nats.ErrTimeout, nats.ErrNoResponders, upstream.ErrNoStreamResponse,
	} {
		if errors.Is(err, p) {
			return true
		}
	}
	var busy *upstream.APIError // the server's queue of messages to be written is full
	return errors.As(err, &busy) && busy.Code == http.StatusTooManyRequests
}

// traceparent begins a trace: what services do for the message continues it.
func traceparent() string {
	var id [24]byte
	rand.Read(id[:]) // never fails
	return "00-" + hex.EncodeToString(id[:16]) + "-" + hex.EncodeToString(id[16:]) + "-01"
}

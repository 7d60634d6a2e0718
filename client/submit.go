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
	body, err := doc.JSON()
	if err != nil {
		return "", err
	}
	if most := c.nc.MaxPayload(); int64(len(body)) > most {
		return "", fmt.Errorf("the document has %d bytes when it is sent, the server takes %d: move long lists to a file and name it under each", len(body), most)
	}
	job, err = c.submit(ctx, doc.Name, id, body)
	if err != nil {
		return "", fmt.Errorf("submit %s: %w", doc.Name, err)
	}
	return job, nil
}

func (c *Client) submit(ctx context.Context, name, id string, body []byte) (job string, err error) {
	user, err := c.sender(ctx)
	if err != nil {
		return "", err
	}
	subject := c.pool.Submit()
	if user != "" {
		subject = c.pool.SubmitBy(user)
	}
	if err := c.may(ctx, subject, submitting); err != nil {
		return "", err
	}
	if user == "" {
		seq, err := c.publish(ctx, subject, id, body)
		return subjects.JobID(name, Who(), id, seq), err
	}
	seq, err := c.publish(ctx, subject, id, body)
	return subjects.JobIDBy(name, user, id, seq), err
}

// publish puts a message into the inbox and returns its sequence there. The server drops a message
// with an id that it received a moment ago, even from another client, so publish sends it until it
// is kept. Admission recognises repeats. The inbox of an older version drops repeats for hours.
// There, publish assumes that the message with the same id is its own.
func (c *Client) publish(ctx context.Context, subject, id string, body []byte) (uint64, error) {
	m := &nats.Msg{Subject: subject, Data: body, Header: nats.Header{
		nats.MsgIdHdr:      {id},
		headerClient:       {Who()},
		actors.Traceparent: {traceparent()},
	}}
	for dropped := 0; ; {
		ack, err := c.js.PublishMsg(ctx, m)
		if err == nil && ack.Duplicate {
			dropped++
		}
		if err == nil && (!ack.Duplicate || dropped > maxDropped) {
			return ack.Sequence, nil
		}
		if err != nil && jetstream.Forbidden(c.nc, subject) {
			return 0, c.refused(ctx, subject, submitting)
		}
		if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
			return 0, fmt.Errorf("the server has not acknowledged the job, which may be stored nevertheless (lull jobs): look whether its disk is full (lull doctor), "+
				"and submit with --id %s, which makes no second job: %w", id, err)
		}
		if err != nil && !passing(err) {
			return 0, jetstream.Explained(err)
		}
		select {
		case <-time.After(retryPause):
		case <-ctx.Done():
			return 0, errors.Join(ctx.Err(), err)
		}
	}
}

const (
	headerClient = "Lull-Client"
	retryPause   = 250 * time.Millisecond
	submitting   = "submit jobs"
	maxDropped   = 8 // pauses that last many times longer than ids are remembered
)

// passing reports whether an error of a publish may go away by itself: the
// server restarts, elects a leader, or the connection is made anew.
func passing(err error) bool {
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

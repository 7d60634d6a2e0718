package client

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// Cancel asks for the end of a job. See request.
func (c *Client) Cancel(ctx context.Context, job, why string) (*subjects.Verdict, error) {
	return c.request(ctx, subjects.RequestCancel, job, why)
}

// Retry asks for a failed or cancelled job to be opened again. See request.
func (c *Client) Retry(ctx context.Context, job, why string) (*subjects.Verdict, error) {
	return c.request(ctx, subjects.RequestRetry, job, why)
}

// answerWithin is how long an answer is waited for. Admission decides within
// milliseconds when it is up; when it is not, the inbox keeps the request.
const answerWithin = 3 * time.Second

// request puts a request into the inbox and waits a moment for the verdict. It
// returns nil without an error when the request is safe in the inbox and
// nobody has answered yet.
func (c *Client) request(ctx context.Context, verb, job, why string) (*subjects.Verdict, error) {
	body, err := json.Marshal(subjects.Request{Job: job, Who: Who(), Why: why})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	replies, err := c.nc.SubscribeSync(c.nc.NewInbox())
	if err != nil {
		return nil, err
	}
	defer replies.Unsubscribe() //nolint:errcheck // the connection may be gone
	m := &nats.Msg{Subject: c.pool.Request(verb), Reply: replies.Subject, Data: body, Header: nats.Header{
		nats.MsgIdHdr: {NewID()}, headerClient: {Who()},
	}}
	if err := c.nc.PublishMsg(m); err != nil {
		return nil, fmt.Errorf("%s %s: %w", verb, job, err)
	}
	return answer(ctx, replies, verb, job)
}

// answer reads the two replies: the stream's acknowledgement, then the verdict.
func answer(ctx context.Context, replies *nats.Subscription, verb, job string) (*subjects.Verdict, error) {
	ack, err := replies.NextMsgWithContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s %s: the server did not take the request: %w", verb, job, err)
	}
	var taken struct {
		Error *struct {
			Description string `json:"description"`
		} `json:"error"`
	}
	if err := json.Unmarshal(ack.Data, &taken); err != nil || taken.Error != nil {
		return nil, fmt.Errorf("%s %s: the server did not take the request: %s", verb, job, ack.Data)
	}
	reply, err := replies.NextMsgWithContext(ctx)
	if err != nil {
		return nil, nil //nolint:nilerr // it is kept; the answer is late
	}
	var v subjects.Verdict
	if err := json.Unmarshal(reply.Data, &v); err != nil {
		return nil, fmt.Errorf("%s %s: the answer is not readable: %w", verb, job, err)
	}
	return &v, nil
}

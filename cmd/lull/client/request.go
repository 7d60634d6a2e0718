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

// reply is either of the two messages that answer a request: the stream's
// acknowledgement, and the verdict. They come in this order as a rule, but from
// two senders.
type reply struct {
	subjects.Verdict
	Stream string `json:"stream"`
	Error  *struct {
		Description string `json:"description"`
	} `json:"error"`
}

// answer waits for the verdict, or for as long as ctx lasts.
func answer(ctx context.Context, replies *nats.Subscription, verb, job string) (*subjects.Verdict, error) {
	for kept := false; ; {
		m, err := replies.NextMsgWithContext(ctx)
		if err != nil && kept {
			return nil, nil // the answer is late
		}
		if err != nil {
			return nil, fmt.Errorf("%s %s: the server did not take the request: %w", verb, job, err)
		}
		var r reply
		if err := json.Unmarshal(m.Data, &r); err != nil {
			return nil, fmt.Errorf("%s %s: the answer is not readable: %w", verb, job, err)
		}
		switch {
		case r.Error != nil:
			return nil, fmt.Errorf("%s %s: the server did not take the request: %s", verb, job, r.Error.Description)
		case r.Verdict.Verdict != "":
			return &r.Verdict, nil
		}
		kept = kept || r.Stream != ""
	}
}

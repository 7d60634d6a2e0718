package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"lull/subjects"
)

// Request asks for a change of a job: to cancel or to retry it.
type Request struct {
	Job string
	Why string // the user's reason
	// Operator asks as an operator, which may change any job. The server must give
	// the key that right.
	Operator bool
	// Refresh are the stages of a job to be retried whose inputs changed: see Refresh.
	Refresh []subjects.Repinned
	// Tasks are those that Cancel ends; without any, it ends the job.
	Tasks []subjects.StageTasks
}

// ErrRefused says that admission refused a request; the error's text has the reason, and the
// verdict that comes with it the code.
var ErrRefused = errors.New("refused")

// Cancel asks for the end of a job, or of some of its tasks, and waits for admission's verdict, for three seconds at
// most. The error is ErrNoVerdict or ErrRefused, among others.
func (c *Client) Cancel(ctx context.Context, r Request) (*subjects.Verdict, error) {
	return c.request(ctx, subjects.RequestCancel, r)
}

// Retry asks for a failed or cancelled job to be opened again. Verdict and error are as Cancel's.
func (c *Client) Retry(ctx context.Context, r Request) (*subjects.Verdict, error) {
	return c.request(ctx, subjects.RequestRetry, r)
}

// answerWithin bounds the wait for an answer. Admission decides within milliseconds when it is up. When it
// is down, the inbox keeps the request.
const answerWithin = 3 * time.Second

// request puts a request into the inbox and waits for the verdict.
func (c *Client) request(ctx context.Context, verb string, r Request) (*subjects.Verdict, error) {
	user, err := c.sender(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", verb, r.Job, err)
	}
	subject, err := c.requestSubject(verb, user, r.Operator)
	if err != nil {
		return nil, err
	}
	act := requesting(verb, r.Operator)
	if err := c.may(ctx, subject, act); err != nil {
		return nil, err
	}
	body, err := json.Marshal(subjects.Request{Job: r.Job, Who: Who(), Why: r.Why, Refresh: r.Refresh, Tasks: r.Tasks})
	if err == nil && int64(len(body)) > c.nc.MaxPayload() {
		err = fmt.Errorf("%s %s: the request has %d bytes, the server takes %d: submit the job's document as a new job", verb, r.Job, len(body), c.nc.MaxPayload())
	}
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
	m := &nats.Msg{Subject: subject, Reply: replies.Subject, Data: body, Header: nats.Header{
		nats.MsgIdHdr: {NewID()}, headerClient: {Who()},
	}}
	if err := c.nc.PublishMsg(m); err != nil {
		return nil, fmt.Errorf("%s %s: %w", verb, r.Job, err)
	}
	v, err := answer(ctx, replies, verb, r.Job)
	if err == nil || errors.Is(err, ErrRefused) {
		return v, err
	}
	if forbidden := c.refused(context.WithoutCancel(ctx), subject, act); forbidden != nil {
		return nil, forbidden
	}
	return v, err
}

// MayRequest returns ErrForbidden if the connection has no right to make such requests about jobs: verb
// is subjects.RequestCancel or RequestRetry.
func MayRequest(ctx context.Context, c *Client, verb string, operator bool) error {
	subject, err := c.requestSubject(verb, c.user, operator)
	if err != nil {
		return err
	}
	refusal := c.may(ctx, subject, requesting(verb, operator))
	if refusal != nil && !operator && c.may(ctx, c.pool.Request(verb), requesting(verb, operator)) == nil {
		return nil // this form is used where admission is of an earlier release
	}
	return refusal
}

// requesting says what a request is for.
func requesting(verb string, operator bool) string {
	if operator {
		return verb + " jobs of others"
	}
	return verb + " jobs"
}

func (c *Client) requestSubject(verb, user string, operator bool) (string, error) {
	switch {
	case operator && user != c.user:
		return "", errors.New("admission of an earlier release leads, which does not know operators: upgrade it, or ask without --as-operator")
	case operator && user == "":
		return "", errors.New("asking as an operator takes a key that names its user: --creds, or nats://USER:PASSWORD@server")
	case operator:
		return c.pool.AdminBy(verb, user), nil
	case user != "":
		return c.pool.RequestBy(verb, user), nil
	}
	return c.pool.Request(verb), nil
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

// answer waits for the verdict until ctx ends.
func answer(ctx context.Context, replies *nats.Subscription, verb, job string) (*subjects.Verdict, error) {
	for kept := false; ; {
		m, err := replies.NextMsgWithContext(ctx)
		if err != nil && kept {
			return nil, fmt.Errorf("%s %s: %w", verb, job, ErrNoVerdict)
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
		case r.Verdict.Verdict == subjects.VerdictRefused:
			return &r.Verdict, fmt.Errorf("%s: %w: %s", job, ErrRefused, r.Text)
		case r.Verdict.Verdict != "":
			return &r.Verdict, nil
		}
		kept = kept || r.Stream != ""
	}
}

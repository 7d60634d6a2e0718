package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	upstream "github.com/nats-io/nats.go/jetstream"

	"lull/subjects"
	"lull/subjects/spec"
)

// ErrTaken says that an earlier submission with another document has the id. The error names its job.
var ErrTaken = errors.New("an earlier submission with another document has this id")

// SubmitAs is Submit under an id that the caller has chosen, and may have used before. It waits until
// admission has compared the document with the earlier one, for three seconds at most. The error is
// ErrTaken if they differ: the earlier job stays as it is.
func SubmitAs(ctx context.Context, c *Client, doc *spec.Doc, id string) (job string, err error) {
	replies, err := c.nc.SubscribeSync(c.nc.NewInbox())
	if err != nil {
		return "", err
	}
	defer replies.Unsubscribe() //nolint:errcheck // the connection may be gone
	in := &answered{conn: c.nc, replies: replies}
	if job, err = c.submit(ctx, doc, id, in); err != nil {
		return "", err
	}
	if v := in.verdict(ctx); v.Code == subjects.ReasonDuplicate {
		return "", fmt.Errorf("submit %s: %w: %q is job %s, which stays as it is; give this document another id", doc.Name, ErrTaken, id, v.Job)
	}
	return job, nil
}

// answered is an inbox for a sender that waits for admission's verdict.
type answered struct {
	conn    *nats.Conn
	replies *nats.Subscription
	heard   subjects.Verdict // what came before the acknowledgement
}

// storedReply is either of the two messages that answer a submission: see reply.
type storedReply struct {
	subjects.Verdict
	upstream.PubAck
	Error *upstream.APIError `json:"error"`
}

func (a *answered) publish(ctx context.Context, m *nats.Msg) (*upstream.PubAck, error) {
	ctx, cancel := context.WithTimeout(ctx, verdictWithin)
	defer cancel()
	m.Reply = a.replies.Subject
	if err := a.conn.PublishMsg(m); err != nil {
		return nil, err
	}
	for {
		r, err := a.next(ctx)
		switch {
		case err != nil:
			return nil, err
		case r.Error != nil:
			return nil, r.Error
		case r.Stream != "":
			return &r.PubAck, nil
		}
		a.heard = r.Verdict
	}
}

func (a *answered) next(ctx context.Context) (r storedReply, err error) {
	m, err := a.replies.NextMsgWithContext(ctx)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(m.Data, &r)
}

// verdict returns the verdict on the message that was stored, zero if none comes in time: admission may
// be down, or the job's first tasks may have to show how long it takes. It passes over the verdict
// on a message that was not kept, which publish has sent again.
func (a *answered) verdict(ctx context.Context) subjects.Verdict {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for a.heard.Verdict == "" || a.heard.Code == subjects.ReasonNotKept {
		r, err := a.next(ctx)
		if err != nil {
			return subjects.Verdict{}
		}
		a.heard = r.Verdict
	}
	return a.heard
}

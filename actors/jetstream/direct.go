package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
)

// Direct Get reads a stream without a consumer. A key with the right to make consumers can make one
// deliver to any subject of the account, including the log's. So hosts, clients and dashboards do
// not get that right and read by Direct Get.

// query is the body of a Direct Get, as the server spells it.
type query struct {
	Seq   uint64   `json:"seq,omitempty"`
	Next  string   `json:"next_by_subj,omitempty"`
	Last  string   `json:"last_by_subj,omitempty"`
	Multi []string `json:"multi_last,omitempty"`
	Batch int      `json:"batch,omitempty"`
	Bytes int      `json:"max_bytes,omitempty"`
}

// Headers of answers that the client library does not define.
const (
	lastSequence = "Nats-Last-Sequence"
	numPending   = "Nats-Num-Pending"
)

// errNoMessage says that no message answers the query.
var errNoMessage = errors.New("no such message")

// directWait bounds the wait for the next answer of a query.
const directWait = 5 * time.Second

// get sends a query and calls take with each message of the answer. The error is
// errNoMessage if there is none.
func (b *Bus) get(ctx context.Context, stream string, q query, take func(actors.Delivery)) error {
	body, err := json.Marshal(q)
	if err != nil {
		return err
	}
	replies, err := b.nc.SubscribeSync(b.nc.NewInbox())
	if err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	defer replies.Unsubscribe() //nolint:errcheck // the connection may be gone
	if err := b.nc.PublishRequest("$JS.API.DIRECT.GET."+stream, replies.Subject, body); err != nil {
		return fmt.Errorf("read stream %s: %w", stream, connectionError(err))
	}
	if err := answers(ctx, replies, q.Batch == 0 && len(q.Multi) == 0, take); err != nil {
		return fmt.Errorf("read stream %s: %w", stream, err)
	}
	return nil
}

// answers calls take with the messages of one query up to its end. Each message names
// the sequence before it, so that a lost one is noticed. A message with unreadable
// headers gets its sequence from the message after it.
func answers(ctx context.Context, replies *nats.Subscription, single bool, take func(actors.Delivery)) error {
	var unreadable *nats.Msg
	for last := uint64(0); ; {
		m, err := next(ctx, replies)
		if err != nil {
			return err
		}
		if m.Header == nil {
			unreadable = m
			continue
		}
		d, before := stored(m)
		if unreadable != nil && before != last {
			take(actors.Delivery{Seq: before, Body: unreadable.Data})
			last, unreadable = before, nil
		}
		if d.Subject == "" {
			return verdict(m)
		}
		if !single && before != last {
			return fmt.Errorf("an answer is missing between %d and %d", last, d.Seq)
		}
		last = d.Seq
		if take(d); single {
			return nil
		}
	}
}

// verdict returns how a query ended. A stored message may also have a status header,
// but has a subject, too.
func verdict(m *nats.Msg) error {
	switch status := m.Header.Get("Status"); status {
	case "204":
		return nil
	case "404":
		return errNoMessage
	case "503":
		return nats.ErrNoResponders
	default:
		return fmt.Errorf("the server refuses the request: %s %s", status, m.Header.Get("Description"))
	}
}

func next(ctx context.Context, replies *nats.Subscription) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, directWait)
	defer cancel()
	return replies.NextMsgWithContext(ctx)
}

// stored returns a message as the stream holds it, and the sequence of the answer
// before it. Of equal headers the last one counts: the server appends its own after
// those of the message's writer.
func stored(m *nats.Msg) (d actors.Delivery, before uint64) {
	value := func(key string) string {
		if values := m.Header[key]; len(values) > 0 {
			return values[len(values)-1]
		}
		return ""
	}
	d = actors.Delivery{Subject: value(jetstream.SubjectHeader), Body: m.Data}
	d.Seq, _ = strconv.ParseUint(value(jetstream.SequenceHeader), 10, 64)
	d.Time, _ = time.Parse(time.RFC3339Nano, value(jetstream.TimeStampHeaer))
	d.Pending, _ = strconv.ParseUint(value(numPending), 10, 64)
	before, _ = strconv.ParseUint(value(lastSequence), 10, 64)
	d.Header = header(m.Header)
	return d, before
}

// last returns the newest message on a subject, which may be a pattern. The error is
// errNoMessage if there is none.
func (b *Bus) last(ctx context.Context, stream, subject string) (found actors.Delivery, err error) {
	err = b.get(ctx, stream, query{Last: subject}, func(d actors.Delivery) { found = d })
	return found, err
}

// Last returns the newest entry of the log that matches filter; Seq is 0 if there is
// none.
func (b *Bus) Last(ctx context.Context, filter string) (actors.Delivery, error) {
	d, err := b.last(ctx, b.pool.Log(), filter)
	if errors.Is(err, errNoMessage) {
		return actors.Delivery{}, nil
	}
	return d, err
}

// At returns the message of the log with a sequence; its Seq is 0 if the log no longer
// has it.
func (b *Bus) At(ctx context.Context, seq uint64) (found actors.Delivery, err error) {
	err = b.get(ctx, b.pool.Log(), query{Seq: seq}, func(d actors.Delivery) { found = d })
	if errors.Is(err, errNoMessage) {
		err = nil
	}
	return found, err
}

// lastOfEach calls take with the newest message of every subject that matches. The server
// answers for a thousand subjects at a time.
func (b *Bus) lastOfEach(ctx context.Context, stream, pattern string, take func(actors.Delivery)) error {
	err := b.get(ctx, stream, query{Multi: []string{pattern}}, take)
	if errors.Is(err, errNoMessage) {
		return nil
	}
	return err
}

// page calls take with one answer's worth of messages from a sequence on, and returns
// their number.
func (b *Bus) page(ctx context.Context, stream, filter string, from uint64, take func(actors.Delivery)) (n int, err error) {
	q := query{Seq: max(from, 1), Next: cmp.Or(filter, ">"), Batch: followBuffer, Bytes: followBytes}
	err = b.get(ctx, stream, q, func(d actors.Delivery) { n++; take(d) })
	if errors.Is(err, errNoMessage) {
		return n, nil
	}
	return n, err
}

// pages gives take all messages of a stream that match, page by page.
func (b *Bus) pages(ctx context.Context, stream, filter string, take func(actors.Delivery)) error {
	from := uint64(1)
	for n := -1; n != 0; {
		var err error
		n, err = b.page(ctx, stream, filter, from, func(d actors.Delivery) {
			from = d.Seq + 1
			take(d)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// described is the server's description of a stream.
type described struct {
	Error   *jetstream.APIError `json:"error"`
	Created time.Time           `json:"created"`
	Config  struct {
		Subjects []string `json:"subjects"`
	} `json:"config"`
	State struct {
		Messages uint64 `json:"messages"`
		First    uint64 `json:"first_seq"`
		Last     uint64 `json:"last_seq"`
	} `json:"state"`
}

// noAccount is the server's code for an account without JetStream of its own.
const noAccount jetstream.ErrorCode = 10039

// describe asks the server for a stream's description. A key with an account of its own asks on the
// pool's subjects: on $JS.API the server answers for the key's own account, which has no streams.
func (b *Bus) describe(ctx context.Context, stream string) (*described, error) {
	info, err := b.info(ctx, "$JS.API.STREAM.INFO."+stream)
	if errors.Is(err, nats.ErrNoResponders) || err == nil && info.Error != nil && info.Error.ErrorCode == noAccount {
		own, ownErr := b.info(ctx, b.pool.API()+".STREAM.INFO."+stream)
		if !errors.Is(ownErr, nats.ErrNoResponders) {
			info, err = own, ownErr
		}
	}
	if err != nil {
		return nil, fmt.Errorf("stream %s: %w", stream, connectionError(err))
	}
	if info.Error != nil {
		return nil, fmt.Errorf("stream %s: %w", stream, info.Error)
	}
	return info, nil
}

func (b *Bus) info(ctx context.Context, subject string) (*described, error) {
	ctx, cancel := context.WithTimeout(ctx, directWait)
	defer cancel()
	m, err := b.nc.RequestWithContext(ctx, subject, nil)
	if err != nil {
		return nil, err
	}
	info := new(described)
	return info, json.Unmarshal(m.Data, info)
}

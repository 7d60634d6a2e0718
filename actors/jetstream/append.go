package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"lull/actors"
	"lull/subjects"
)

// appendWait is how long an append waits for its acknowledgement. An fsync of
// a busy disk takes hundreds of milliseconds; a server that is silent for five
// seconds is gone.
const appendWait = 5 * time.Second

// Headers of atomic batches and conditions, as the server spells them.
const (
	batchID     = "Nats-Batch-Id"
	batchSeq    = "Nats-Batch-Sequence"
	batchCommit = "Nats-Batch-Commit"
	expectSeq   = "Nats-Expected-Last-Subject-Sequence"
	expectSubj  = "Nats-Expected-Last-Subject-Sequence-Subject"
)

// Append writes the batch and waits until it is as durable as the server's
// SyncAlways makes it. One event is a plain publish; more are one atomic
// batch, committed by its last message and fenced on its first.
//
// Sending small batches as single fenced messages would not pay, and they could be cut short. Two
// take 1.5 ms and ten take 8 ms, an fsync each; one atomic batch staged in memory takes 0.5 ms
// (BenchmarkAppend).
func (b *Bus) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, appendWait)
	defer cancel()
	if len(batch) == 0 {
		return 0, errors.New("append: the batch is empty")
	}
	if !b.nc.IsConnected() {
		// The client would keep the message for after a reconnect: when it
		// arrives would be unknown.
		return 0, fmt.Errorf("%w: not connected to the server", actors.ErrUnknown)
	}
	defer b.whileConnected(cancel)()
	messages := envelope(batch, fence)
	if err := b.tooLarge(messages); err != nil {
		return 0, err
	}
	last := len(messages) - 1
	for _, m := range messages[:last] {
		if err := b.nc.PublishMsg(m); err != nil {
			return 0, fmt.Errorf("%w: %w", actors.ErrUnknown, err)
		}
	}
	reply, err := b.nc.RequestMsgWithContext(ctx, messages[last])
	if err != nil {
		return 0, unanswered(err)
	}
	seq, err := acknowledged(reply.Data)
	if errors.Is(err, errIncomplete) {
		err = b.incomplete(ctx, messages[0], err)
	}
	return seq, err
}

// MaxMessage is the limit that the server announced when the connection was made.
func (b *Bus) MaxMessage() int { return int(b.nc.MaxPayload()) }

// tooLarge finds a message that the server would refuse, before any is sent: a batch
// without its end stays open in the server for seconds.
func (b *Bus) tooLarge(messages []*nats.Msg) error {
	for _, m := range messages {
		size := len(m.Data)
		for key, values := range m.Header {
			size += len(key) + len(values[0]) + 8 // punctuation, and the header's first line
		}
		if size > b.MaxMessage() {
			return fmt.Errorf("%w: %s takes %d bytes, the server takes at most %d in a message", actors.ErrRefused, m.Subject, size, b.MaxMessage())
		}
	}
	return nil
}

// incomplete finds out why the server does not hold the beginning of a batch. The
// server answers that only to the first message, which was sent without a reply
// subject. So incomplete opens a probe batch with an invalid commit: the server
// answers why it cannot be opened, or drops it at once.
func (b *Bus) incomplete(ctx context.Context, first *nats.Msg, err error) error {
	probe := &nats.Msg{Subject: first.Subject, Header: nats.Header{}}
	setHeader(probe, batchID, nuid.Next())
	setHeader(probe, batchSeq, "1")
	setHeader(probe, batchCommit, "none")
	reply, asked := b.nc.RequestMsgWithContext(ctx, probe)
	if asked != nil {
		return err
	}
	if _, why := acknowledged(reply.Data); errors.Is(why, actors.ErrBatches) || errors.Is(why, actors.ErrBusy) {
		return why
	}
	return err
}

// whileConnected gives up when the connection is lost: the answer to a request on it never comes,
// and an early error lets the caller settle it early.
func (b *Bus) whileConnected(giveUp context.CancelFunc) (stop func()) {
	lost := b.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	go func() {
		if _, ok := <-lost; ok {
			giveUp()
		}
	}()
	return func() { b.nc.RemoveStatusListener(lost) }
}

func envelope(batch []subjects.Message, fence actors.Fence) []*nats.Msg {
	messages := make([]*nats.Msg, len(batch))
	for i, m := range batch {
		messages[i] = &nats.Msg{Subject: m.Subject, Data: m.Body}
		if m.Trace != "" {
			setHeader(messages[i], actors.Traceparent, m.Trace)
		}
		if m.Optional {
			setHeader(messages[i], actors.Optional, "1")
		}
	}
	if len(batch) > 1 {
		id := nuid.Next()
		for i, m := range messages {
			setHeader(m, batchID, id)
			setHeader(m, batchSeq, strconv.Itoa(i+1))
		}
		setHeader(messages[len(messages)-1], batchCommit, "1")
	}
	if fence.Subject != "" {
		setHeader(messages[0], expectSeq, strconv.FormatUint(fence.Seq, 10))
		setHeader(messages[0], expectSubj, fence.Subject)
	}
	return messages
}

func setHeader(m *nats.Msg, key, value string) {
	if m.Header == nil {
		m.Header = make(nats.Header, 4)
	}
	m.Header[key] = []string{value}
}

// unanswered returns the error of a request without an answer. Only a server without the stream
// certainly did not append.
func unanswered(err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		return fmt.Errorf("%w: the server has no such stream now: %w", actors.ErrFull, err)
	}
	return fmt.Errorf("%w: %w", actors.ErrUnknown, err)
}

// Error codes of the server (nats-server, server/errors.json).
const (
	wrongLastSequence         jetstream.ErrorCode = 10071 // its text ends with the sequence
	wrongLastSequenceConstant jetstream.ErrorCode = 10164
	accountResources          jetstream.ErrorCode = 10002
	insufficientResources     jetstream.ErrorCode = 10023
	memoryResources           jetstream.ErrorCode = 10028
	storageResources          jetstream.ErrorCode = 10047
	messageTooLarge           jetstream.ErrorCode = 10054
	storeFailed               jetstream.ErrorCode = 10077
	headerTooLarge            jetstream.ErrorCode = 10097
	tooManyMessages           jetstream.ErrorCode = 10167
	batchNoSequence           jetstream.ErrorCode = 10175
	batchIncomplete           jetstream.ErrorCode = 10176
	batchBadHeader            jetstream.ErrorCode = 10177
	batchBadID                jetstream.ErrorCode = 10179
	batchTooLarge             jetstream.ErrorCode = 10199
	batchBadCommit            jetstream.ErrorCode = 10200
	batchDuplicateIDs         jetstream.ErrorCode = 10201
	tooManyBatches            jetstream.ErrorCode = 10210
)

// errIncomplete says that the server does not hold the beginning of the batch: it
// could not stage it, or refused to.
var errIncomplete = fmt.Errorf("%w: the server did not keep the beginning of a batch", actors.ErrFull)

func acknowledged(body []byte) (uint64, error) {
	var ack struct {
		Error    *jetstream.APIError `json:"error"`
		Sequence uint64              `json:"seq"`
	}
	if err := json.Unmarshal(body, &ack); err != nil {
		return 0, fmt.Errorf("%w: unreadable acknowledgement: %w", actors.ErrUnknown, err)
	}
	if ack.Error == nil {
		return ack.Sequence, nil
	}
	if ack.Error.ErrorCode == wrongLastSequence {
		return 0, fencedAt(ack.Error)
	}
	return 0, fmt.Errorf("%w: %w", errorOf(ack.Error.ErrorCode), ack.Error)
}

// errorOf translates the server's error code for a batch.
func errorOf(code jetstream.ErrorCode) error {
	switch code {
	case wrongLastSequenceConstant:
		return actors.ErrFenced
	case insufficientResources, accountResources, memoryResources, storageResources, storeFailed:
		return actors.ErrFull
	case tooManyMessages:
		return actors.ErrBusy
	case batchIncomplete:
		return errIncomplete
	case tooManyBatches:
		return actors.ErrBatches
	case messageTooLarge, headerTooLarge, batchTooLarge, batchNoSequence, batchBadHeader, batchBadID, batchBadCommit, batchDuplicateIDs:
		return actors.ErrRefused
	}
	return actors.ErrUnknown
}

// fencedAt reads the sequence that the server's text ends with.
func fencedAt(refusal *jetstream.APIError) error {
	text := refusal.Description
	last, err := strconv.ParseUint(text[strings.LastIndexByte(text, ' ')+1:], 10, 64)
	if err != nil {
		return fmt.Errorf("%w: %w", actors.ErrFenced, refusal)
	}
	return &actors.FencedError{Last: last, Err: refusal}
}

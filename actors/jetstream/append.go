package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
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

// fewEvents is up to where a batch goes out as single messages, each with the
// fence. An atomic batch is staged in a store of its own on disk, which costs
// 4.4 ms whatever its size, where a single message with its fsync costs
// 0.25 ms (go run ./test/bench decide). Nothing is lost by it: the fence keeps
// a stale leader out message by message, and what an interrupted batch has not
// said, the state still calls for.
const fewEvents = 16

// Append writes the batch and waits until it is as durable as the server's
// SyncAlways makes it. Few events are plain publishes on their way together,
// each fenced; more are one atomic batch, fenced on its first message and
// committed by its last.
func (b *Bus) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	ctx, cancel := context.WithTimeout(ctx, appendWait)
	defer cancel()
	if len(batch) == 0 {
		return 0, errors.New("append: the batch is empty")
	}
	if !b.nc.IsConnected() {
		// The client would keep the message for after a reconnect: nobody
		// could say then when it arrives.
		return 0, fmt.Errorf("%w: not connected to the server", actors.ErrUnknown)
	}
	if len(batch) <= fewEvents {
		return b.appendEach(ctx, batch, fence)
	}
	return b.appendAtomic(ctx, batch, fence)
}

// appendAtomic sends all and waits for the answer to the last.
func (b *Bus) appendAtomic(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	messages := envelope(batch, fence)
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
	return acknowledged(reply.Data)
}

// appendEach sends all before it waits for the first answer; the server appends
// them in this order. A batch that was cut short is ErrUnknown: its beginning
// stands in the log.
func (b *Bus) appendEach(ctx context.Context, batch []subjects.Message, fence actors.Fence) (seq uint64, err error) {
	sent := make([]jetstream.PubAckFuture, len(batch))
	for i, m := range batch {
		one := envelope([]subjects.Message{m}, fence)[0]
		if sent[i], err = b.js.PublishMsgAsync(one, jetstream.WithRetryAttempts(0)); err != nil {
			return 0, fmt.Errorf("%w: %w", actors.ErrUnknown, err)
		}
	}
	for i, future := range sent {
		select {
		case ack := <-future.Ok():
			seq = ack.Sequence
		case err := <-future.Err():
			return 0, cutShort(i, refused(err))
		case <-ctx.Done():
			return 0, fmt.Errorf("%w: %w", actors.ErrUnknown, ctx.Err())
		}
	}
	return seq, nil
}

func cutShort(done int, err error) error {
	if done > 0 && !errors.Is(err, actors.ErrFenced) {
		return fmt.Errorf("%w: after %d events: %w", actors.ErrUnknown, done, err)
	}
	return err
}

func envelope(batch []subjects.Message, fence actors.Fence) []*nats.Msg {
	messages := make([]*nats.Msg, len(batch))
	for i, m := range batch {
		messages[i] = &nats.Msg{Subject: m.Subject, Data: m.Body}
		if m.Trace != "" {
			messages[i].Header = nats.Header{actors.Traceparent: {m.Trace}}
		}
	}
	if len(batch) > 1 {
		id := nuid.Next()
		for i, m := range messages {
			set(m, batchID, id)
			set(m, batchSeq, strconv.Itoa(i+1))
		}
		set(messages[len(messages)-1], batchCommit, "1")
	}
	if fence.Subject != "" {
		set(messages[0], expectSeq, strconv.FormatUint(fence.Seq, 10))
		set(messages[0], expectSubj, fence.Subject)
	}
	return messages
}

func set(m *nats.Msg, key, value string) {
	if m.Header == nil {
		m.Header = make(nats.Header, 4)
	}
	m.Header[key] = []string{value}
}

// unanswered: only a server that has no such stream surely did not append.
func unanswered(err error) error {
	if errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrNoStreamResponse) {
		return fmt.Errorf("%w: the server has no such stream now", actors.ErrFull)
	}
	return fmt.Errorf("%w: %w", actors.ErrUnknown, err)
}

// Error codes of the server that say that nothing was appended.
const (
	wrongLastSequence         jetstream.ErrorCode = 10071
	wrongLastSequenceConstant jetstream.ErrorCode = 10164
	insufficientResources     jetstream.ErrorCode = 10023
	accountResources          jetstream.ErrorCode = 10002
	memoryResources           jetstream.ErrorCode = 10028
	storageResources          jetstream.ErrorCode = 10047
	storeFailed               jetstream.ErrorCode = 10077
	batchIncomplete           jetstream.ErrorCode = 10176
	tooManyBatches            jetstream.ErrorCode = 10210
)

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
	return 0, refused(ack.Error)
}

// refused says what the server's or the client's error means for the append.
func refused(err error) error {
	var api *jetstream.APIError
	if !errors.As(err, &api) {
		return unanswered(err)
	}
	switch api.ErrorCode {
	case wrongLastSequence, wrongLastSequenceConstant:
		return fmt.Errorf("%w: %w", actors.ErrFenced, api)
	case insufficientResources, accountResources, memoryResources, storageResources, storeFailed, batchIncomplete, tooManyBatches:
		return fmt.Errorf("%w: %w", actors.ErrFull, api)
	}
	return fmt.Errorf("%w: %w", actors.ErrUnknown, api)
}

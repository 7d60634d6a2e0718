package jetstream

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
)

// Follow reads the log by an ordered consumer with one filter: two or more
// drain a backlog 25 to 60 times slower (measured).
func (b *Bus) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	if b.attached {
		return b.leaf(ctx, from, filter)
	}
	if filter == "" {
		return b.read(ctx, b.pool.Log(), from)
	}
	return b.read(ctx, b.pool.Log(), from, filter)
}

// Inbox reads what clients published.
func (b *Bus) Inbox(ctx context.Context, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	return b.read(ctx, b.pool.Inbox(), from, filters...)
}

const (
	followBuffer    = 512     // deliveries between the client's goroutine and the reader
	followAhead     = 2048    // messages that the server may send ahead
	followBytes     = 8 << 20 // and their bytes: 2,048 messages of a megabyte would not fit
	followHeartbeat = 5e9     // ns: a consumer that went with its server is noticed within two of these
)

func (b *Bus) read(ctx context.Context, stream string, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	return b.consume(ctx, stream, from, jetstream.OrderedConsumerConfig{FilterSubjects: filters})
}

// consume reads a stream from a sequence on.
func (b *Bus) consume(ctx context.Context, stream string, from uint64, config jetstream.OrderedConsumerConfig) (<-chan actors.Delivery, error) {
	config.DeliverPolicy, config.OptStartSeq = jetstream.DeliverByStartSequencePolicy, max(from, 1)
	consumer, err := b.js.OrderedConsumer(ctx, stream, config)
	if err != nil {
		return nil, fmt.Errorf("read stream %s from %d: %w", stream, from, err)
	}
	out := newOutlet()
	reading, err := consumer.Consume(func(m jetstream.Msg) { out.put(ctx, delivery(m)) },
		jetstream.PullMaxMessagesWithBytesLimit(followAhead, followBytes), jetstream.PullHeartbeat(followHeartbeat))
	if err != nil {
		return nil, fmt.Errorf("read stream %s from %d: %w", stream, from, err)
	}
	go func() {
		select {
		case <-ctx.Done():
			reading.Stop()
			<-reading.Closed()
		case <-reading.Closed():
		}
		out.close()
	}()
	return out.c, nil
}

// outlet is a channel that may be closed while the client still delivers: an ordered consumer
// reports its end before its last callback is over.
type outlet struct {
	mu     sync.RWMutex // held for reading while a delivery is put
	closed bool
	c      chan actors.Delivery
	queued queuedSizes // used by the goroutine that puts alone
}

func newOutlet() *outlet { return &outlet{c: make(chan actors.Delivery, followBuffer)} }

// queuedSizes counts the bytes that wait in a channel, from the sizes of the deliveries put
// and the number of those still in it.
type queuedSizes struct {
	sizes [followBuffer + 1]int // of the last ones, in a ring
	first int
	n     int
	bytes int
}

// keepLast notes that n deliveries are still in the channel.
func (h *queuedSizes) keepLast(n int) {
	for ; h.n > n; h.n-- {
		h.bytes -= h.sizes[h.first]
		h.first = (h.first + 1) % len(h.sizes)
	}
}

func (h *queuedSizes) add(size int) {
	h.sizes[(h.first+h.n)%len(h.sizes)] = size
	h.n++
	h.bytes += size
}

// roomCheckEvery is the interval between checks of a full channel.
const roomCheckEvery = time.Millisecond

// waitForRoom waits until the channel holds few enough bytes. A flood of large messages must
// not fill the memory of a process with a slow reader.
func (o *outlet) waitForRoom(ctx context.Context) {
	for {
		o.queued.keepLast(len(o.c))
		if o.queued.bytes < followBytes || ctx.Err() != nil {
			return
		}
		time.Sleep(roomCheckEvery)
	}
}

func (o *outlet) put(ctx context.Context, d actors.Delivery) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if o.closed {
		return
	}
	o.waitForRoom(ctx)
	select {
	case o.c <- d:
		o.queued.add(d.Size())
	case <-ctx.Done():
	}
}

func (o *outlet) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	close(o.c)
}

func delivery(m jetstream.Msg) actors.Delivery {
	d := actors.Delivery{Subject: m.Subject(), Header: header(m.Headers()), Body: m.Data()}
	if meta, err := m.Metadata(); err == nil {
		d.Seq, d.Time, d.Pending = meta.Sequence.Stream, meta.Timestamp, meta.NumPending
	}
	return d
}

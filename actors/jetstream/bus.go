package jetstream

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"lull/actors"
	"lull/subjects"
)

// Bus is a pool on JetStream. It is safe for several shells.
type Bus struct {
	pool     subjects.Pool
	nc       *nats.Conn
	js       jetstream.JetStream
	leases   jetstream.KeyValue
	attached bool          // it makes neither streams nor consumers: see Attach
	pace     time.Duration // see SetPace

	swept     atomic.Bool   // this process has swept the snapshots' bucket
	orphanAge time.Duration // age from which pieces without an object are removed
}

var _ actors.Bus = (*Bus)(nil)

// Open makes the pool's streams and buckets, or checks them. The connection
// stays the caller's.
func Open(ctx context.Context, nc *nats.Conn, pool subjects.Pool) (*Bus, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	b := &Bus{pool: pool, nc: nc, js: js, orphanAge: orphanAge}
	for _, stream := range []jetstream.StreamConfig{quarantineStream(pool), listsStream(pool), historyStream(pool)} {
		if err := ensureStream(ctx, js, stream); err != nil {
			return nil, err
		}
	}
	if err := b.buckets(ctx); err != nil {
		return nil, err
	}
	// The log shows Attach that the pool is there, so all that a host needs comes before it. Only the
	// inbox comes after: a service passes over messages that are older than its log, so an inbox that
	// came first could acknowledge messages that are then lost. Clients try again until there is one.
	for _, stream := range []jetstream.StreamConfig{logStream(pool), inboxStream(pool)} {
		if err := ensureStream(ctx, js, stream); err != nil {
			return nil, err
		}
	}
	return b, b.quotas(ctx)
}

func (b *Bus) buckets(ctx context.Context) (err error) {
	if b.leases, err = b.leaseBucket(ctx); err != nil {
		return fmt.Errorf("bucket %s: %w", b.pool.Leases(), err)
	}
	for _, name := range []string{b.pool.Snapshots(), b.pool.Objects()} {
		if err := b.objectBucket(ctx, name); err != nil {
			return fmt.Errorf("bucket %s: %w", name, err)
		}
	}
	return nil
}

func (b *Bus) objectBucket(ctx context.Context, name string) error {
	_, err := b.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Storage: jetstream.FileStorage})
	if errors.Is(err, jetstream.ErrBucketExists) {
		return nil
	}
	return err
}

// Pool names the pool.
func (b *Bus) Pool() subjects.Pool { return b.pool }

// Conn is the connection that Open was given.
func (b *Bus) Conn() *nats.Conn { return b.nc }

// Log describes the log.
func (b *Bus) Log(ctx context.Context) (actors.LogInfo, error) {
	return b.streamInfo(ctx, b.pool.Log())
}

// InboxInfo describes the inbox.
func (b *Bus) InboxInfo(ctx context.Context) (actors.LogInfo, error) {
	return b.streamInfo(ctx, b.pool.Inbox())
}

func (b *Bus) streamInfo(ctx context.Context, stream string) (actors.LogInfo, error) {
	info, err := b.describe(ctx, stream)
	if err != nil {
		return actors.LogInfo{}, err
	}
	first := info.State.First
	if info.State.Messages == 0 {
		first = info.State.Last + 1
	}
	return actors.LogInfo{Created: info.Created, First: first, Last: info.State.Last, Subjects: info.Config.Subjects}, nil
}

// Trim purges the log below a sequence.
func (b *Bus) Trim(ctx context.Context, below uint64) error {
	stream, err := b.js.Stream(ctx, b.pool.Log())
	if err == nil {
		err = stream.Purge(ctx, jetstream.WithPurgeSequence(below))
	}
	if err != nil {
		return fmt.Errorf("trim stream %s below %d: %w", b.pool.Log(), below, err)
	}
	return nil
}

// quarantineMost is the most bytes kept of one refused message.
const quarantineMost = 64 << 10

// Quarantine keeps refused bytes; the id is the message id, so that several
// readers of the same message keep it once.
func (b *Bus) Quarantine(ctx context.Context, where, id, reason string, body []byte) error {
	m := nats.NewMsg(b.pool.Quarantine(where))
	m.Header.Set("Lull-Reason", headerText(reason))
	m.Data = body[:min(len(body), quarantineMost)]
	if _, err := b.js.PublishMsg(ctx, m, jetstream.WithMsgID(id)); err != nil {
		return fmt.Errorf("quarantine %s: %w", id, err)
	}
	return nil
}

// headerText makes one line of a reason, which may hold bytes from outside.
func headerText(s string) string {
	const most = 1024
	line := []byte(s)
	for i, c := range line {
		if c < ' ' || c == 0x7f {
			line[i] = ' '
		}
	}
	return string(line[:min(len(line), most)])
}

// Publish sends a core message.
func (b *Bus) Publish(subject string, body []byte) error {
	if err := b.nc.Publish(subject, body); err != nil {
		return fmt.Errorf("publish on %s: %w", subject, err)
	}
	return nil
}

// These limit what waits for a slow reader of core messages. There is room for the largest messages
// of thirty senders, each of which waits for its acknowledgement. A process whose cores are busy
// reads some of them 100 ms late.
const (
	listenBuffer = 4096
	listenBytes  = 32 << 20
)

// Listen subscribes to core messages; a slow reader loses some.
func (b *Bus) Listen(ctx context.Context, subject string) (<-chan actors.Delivery, error) {
	sub, err := b.nc.SubscribeSync(subject)
	if err == nil {
		err = sub.SetPendingLimits(listenBuffer, listenBytes)
	}
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", subject, err)
	}
	// The server must know the subscription before Listen returns: the next publisher expects it to
	// receive.
	if err := b.flush(ctx); err != nil {
		_ = sub.Unsubscribe()
		return nil, fmt.Errorf("listen on %s: %w", subject, err)
	}
	out := make(chan actors.Delivery)
	go func() {
		defer close(out)
		defer sub.Unsubscribe() //nolint:errcheck // the connection may be gone already
		for {
			m, err := sub.NextMsgWithContext(ctx)
			if errors.Is(err, nats.ErrSlowConsumer) {
				continue // the limits were reached, and messages dropped
			}
			if err != nil {
				return
			}
			select {
			case out <- coreDelivery(m):
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

func (b *Bus) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, appendWait)
	defer cancel()
	return b.nc.FlushWithContext(ctx)
}

// coreDelivery is a core message as it came.
func coreDelivery(m *nats.Msg) actors.Delivery {
	return actors.Delivery{Subject: m.Subject, Reply: m.Reply, Header: header(m.Header), Body: m.Data, Time: time.Now()}
}

// header keeps the first value of each key. It is nil for the many messages
// without any.
func header(h nats.Header) map[string]string {
	if len(h) == 0 {
		return nil
	}
	out := make(map[string]string, len(h))
	for key, values := range h {
		if len(values) > 0 {
			out[key] = values[0]
		}
	}
	return out
}

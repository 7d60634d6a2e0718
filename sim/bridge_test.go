package sim

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"lull/actors"
	"lull/actors/conformance"
	"lull/actors/core"
	"lull/subjects"
)

// bridge is an actors.Bus over the simulator's bus, with a mutex, channels and the wall clock
// around it. Fences, trimming, leases, snapshots and the inbox are the code that scenarios run on.
type bridge struct {
	pool subjects.Pool
	mu   struct {
		sync.Mutex
		*bus
		accepts   []string // subjects of the log
		grown     chan struct{}
		listeners map[*listener]bool
	}
}

var _ actors.Bus = (*bridge)(nil)

type listener struct {
	subject string
	out     chan actors.Delivery
}

func newBridge(pool subjects.Pool) *bridge {
	b := &bridge{pool: pool}
	b.mu.bus, b.mu.accepts = newBus(time.Now()), pool.LogSubjects()
	b.mu.grown, b.mu.listeners = make(chan struct{}), map[*listener]bool{}
	return b
}

// do runs f under the lock and wakes readers.
func (b *bridge) do(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
	close(b.mu.grown)
	b.mu.grown = make(chan struct{})
}

func (b *bridge) Pool() subjects.Pool { return b.pool }

func (b *bridge) Log(context.Context) (info actors.LogInfo, _ error) {
	b.do(func() { info = b.mu.log.info() })
	return info, nil
}

func (b *bridge) MakeRoom(context.Context, uint64) error { return nil }

func (b *bridge) MaxMessage() int { return 1 << 20 }

func (b *bridge) InboxInfo(context.Context) (info actors.LogInfo, _ error) {
	b.do(func() { info = b.mu.inbox.info() })
	return info, nil
}

func (b *bridge) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (seq uint64, err error) {
	if ctx.Err() != nil {
		return 0, actors.ErrUnknown
	}
	for _, m := range batch {
		if len(m.Body) > b.MaxMessage() {
			return 0, actors.ErrRefused
		}
	}
	b.do(func() {
		drafts := make([]core.Draft, len(batch))
		for i, m := range batch {
			drafts[i].Message = m
		}
		if seq, err = b.mu.append(time.Now(), drafts, fence); err != nil {
			return
		}
		for _, m := range batch {
			b.tell(actors.Delivery{Subject: m.Subject, Body: m.Body})
		}
	})
	return seq, err
}

func (b *bridge) Trim(_ context.Context, below uint64) error {
	b.do(func() { b.mu.log.trim(below) })
	return nil
}

func (b *bridge) Quarantine(_ context.Context, _, id, reason string, _ []byte) error {
	b.do(func() { b.mu.quarantine(id, reason) })
	return nil
}

func (b *bridge) Save(_ context.Context, name string, s actors.Snapshot) error {
	b.do(func() { b.mu.save(name, s) })
	return nil
}

func (b *bridge) Load(_ context.Context, name string) (s actors.Snapshot, err error) {
	b.do(func() { s, err = b.mu.load(name) })
	return s, err
}

func (b *bridge) Forget(_ context.Context, name string) error {
	b.do(func() { delete(b.mu.snapshots, name) })
	return nil
}

func (b *bridge) Snapshots(context.Context) (map[string]uint64, error) {
	var seqs map[string]uint64
	b.do(func() { seqs = b.mu.saved() })
	return seqs, nil
}

func (b *bridge) PutHistory(_ context.Context, m subjects.Message) error {
	if err := actors.CheckHistory(b.pool, m); err != nil {
		return err
	}
	b.do(func() { b.mu.history.put(time.Now(), m) })
	return nil
}

func (b *bridge) HistoryInfo(context.Context) (info actors.LogInfo, _ error) {
	b.do(func() { info = b.mu.history.info(b.mu.log.created) })
	return info, nil
}

func (b *bridge) ReadHistory(ctx context.Context, from uint64, filter string, take func(actors.Delivery) error) (uint64, error) {
	var found []actors.Delivery
	b.do(func() { found = b.mu.history.from(from, filter) })
	next := max(from, 1)
	for _, d := range found {
		next = d.Seq + 1
		if err := take(d); err != nil {
			return next, err
		}
	}
	return next, ctx.Err()
}

func (b *bridge) Lease(_ context.Context, name, holder string, ttl time.Duration) (held bool, _ error) {
	b.do(func() { held = b.mu.lease(time.Now(), name, holder, ttl) })
	return held, nil
}

func (b *bridge) Release(_ context.Context, name, holder string) error {
	b.do(func() { b.mu.release(name, holder) })
	return nil
}

func (b *bridge) Publish(subject string, body []byte) error {
	return b.send(actors.Delivery{Subject: subject, Body: body})
}

// send publishes as any client can.
func (b *bridge) send(d actors.Delivery) error {
	b.do(func() {
		m := message{subject: d.Subject, header: d.Header, body: d.Body}
		if matches(b.mu.accepts, d.Subject) {
			b.mu.log.add(time.Now(), m, nil)
		}
		if matches(b.pool.InboxSubjects(), d.Subject) {
			b.mu.publish(time.Now(), m)
		}
		b.tell(d)
	})
	return nil
}

func matches(patterns []string, subject string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return actors.Match(p, subject) })
}

// tell needs mu.
func (b *bridge) tell(d actors.Delivery) {
	d.Seq, d.Time = 0, time.Now()
	for l := range b.mu.listeners {
		if actors.Match(l.subject, d.Subject) {
			select {
			case l.out <- d:
			default: // slow: lost
			}
		}
	}
}

func (b *bridge) Listen(ctx context.Context, subject string) (<-chan actors.Delivery, error) {
	l := &listener{subject, make(chan actors.Delivery, 4096)}
	b.do(func() { b.mu.listeners[l] = true })
	context.AfterFunc(ctx, func() {
		b.do(func() {
			delete(b.mu.listeners, l)
			close(l.out)
		})
	})
	return l.out, nil
}

func (b *bridge) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	return b.follow(ctx, func() *sequence { return b.mu.log }, from, filter), nil
}

func (b *bridge) Inbox(ctx context.Context, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	return b.follow(ctx, func() *sequence { return b.mu.inbox }, from, filters...), nil
}

func (b *bridge) follow(ctx context.Context, pick func() *sequence, from uint64, filters ...string) <-chan actors.Delivery {
	out := make(chan actors.Delivery)
	go func() {
		defer close(out)
		for ctx.Err() == nil {
			b.mu.Lock()
			d, grown := next(pick(), from, filters), b.mu.grown
			b.mu.Unlock()
			if d == nil {
				select {
				case <-grown:
				case <-ctx.Done():
				}
				continue
			}
			from = d.Seq + 1
			select {
			case out <- *d:
			case <-ctx.Done():
			}
		}
	}()
	return out
}

// next is the first message from a sequence on that matches, nil for none.
func next(s *sequence, from uint64, filters []string) *actors.Delivery {
	for seq := max(from, s.first); seq <= s.end; seq++ {
		if e := s.at(seq); len(filters) == 0 || matches(filters, e.subject) {
			return &actors.Delivery{
				Subject: e.subject, Header: e.header, Body: e.body, Seq: seq, Time: e.Time, Pending: s.end - seq,
			}
		}
	}
	return nil
}

func TestConformance(t *testing.T) {
	t.Parallel() // it waits for leases, in real time
	conformance.Run(t, func(*testing.T) conformance.Fixture {
		b := newBridge("test")
		return conformance.Fixture{
			Bus: b, Send: b.send,
			Full: func(full bool) {
				b.do(func() { b.mu.limit = map[bool]uint64{true: 1}[full] })
			},
			RecreateInbox: func() { b.do(func() { b.mu.inbox = newSequence(time.Now()) }) },
			Recreate:      func() { b.do(func() { b.mu.log = newSequence(time.Now()) }) },
			Accept:        func(subject string) { b.do(func() { b.mu.accepts = append(b.mu.accepts, subject) }) },
			Quarantined:   func() (n int) { b.do(func() { n = len(b.mu.kept) }); return n },
		}
	})
}

// info describes the stream.
func (b *blocks) info(created time.Time) actors.LogInfo {
	first := b.last + 1
	if len(b.kept) > 0 {
		first = b.kept[0].Seq
	}
	return actors.LogInfo{Created: created, First: first, Last: b.last}
}

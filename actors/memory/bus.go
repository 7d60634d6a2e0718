package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"lull/actors"
	"lull/subjects"
)

// Bus is a pool in memory. The zero value is not usable: see New.
type Bus struct {
	pool subjects.Pool
	mu   struct {
		sync.Mutex
		log, inbox *stream
		limit      int      // entries the log takes, 0 for no limit
		accepts    []string // subjects of the log
		kept       map[string]Refused
		snapshots  map[string]actors.Snapshot
		history    blocks
		leases     map[string]lease
		listeners  map[*listener]struct{}
	}
}

var _ actors.Bus = (*Bus)(nil)

type lease struct {
	holder  string
	expires time.Time
}

// Refused is what Quarantine kept.
type Refused struct {
	Where, Reason string
	Body          []byte
}

// New makes an empty pool.
func New(pool subjects.Pool) *Bus {
	b := &Bus{pool: pool}
	b.mu.log, b.mu.inbox = newStream(), newStream()
	b.mu.accepts = pool.LogSubjects()
	b.mu.kept = make(map[string]Refused)
	b.mu.snapshots = make(map[string]actors.Snapshot)
	b.mu.history = blocks{created: time.Now(), kept: make(map[string]actors.Delivery)}
	b.mu.leases = make(map[string]lease)
	b.mu.listeners = make(map[*listener]struct{})
	return b
}

// Pool names the pool.
func (b *Bus) Pool() subjects.Pool { return b.pool }

// Limit sets how many entries the log takes; 0 for as many as come.
func (b *Bus) Limit(entries int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.limit = entries
}

// Accept makes the log keep one more subject, as a newer version's would.
func (b *Bus) Accept(subject string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.accepts = append(b.mu.accepts, subject)
}

// Intrude puts a message with a foreign subject into the log.
func (b *Bus) Intrude(subject string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.log.add(actors.Delivery{Subject: subject, Body: []byte("foreign")})
	b.mu.log.announce()
}

// Recreate replaces the log by an empty one, as if the stream had been made anew.
func (b *Bus) Recreate() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.log = newStream()
}

// RecreateInbox drops the inbox and makes an empty one.
func (b *Bus) RecreateInbox() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.inbox.announce() // wakes readers, which go on in the new one
	b.mu.inbox = newStream()
}

// Log describes the log.
func (b *Bus) Log(context.Context) (actors.LogInfo, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	info := b.mu.log.info()
	info.Subjects = slices.Clone(b.mu.accepts)
	return info, nil
}

// InboxInfo describes the inbox.
func (b *Bus) InboxInfo(context.Context) (actors.LogInfo, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.mu.inbox.info(), nil
}

// Follow reads the log.
func (b *Bus) Follow(ctx context.Context, from uint64, filter string) (<-chan actors.Delivery, error) {
	return b.read(ctx, func() *stream { return b.mu.log }, from, filter), nil
}

// Inbox reads what clients sent.
func (b *Bus) Inbox(ctx context.Context, from uint64, filters ...string) (<-chan actors.Delivery, error) {
	return b.read(ctx, func() *stream { return b.mu.inbox }, from, filters...), nil
}

// Append adds a batch to the log if the fence holds and there is room.
func (b *Bus) Append(ctx context.Context, batch []subjects.Message, fence actors.Fence) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%w: %w", actors.ErrUnknown, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	log := b.mu.log
	if fence.Subject != "" && log.last[fence.Subject] != fence.Seq {
		return 0, &actors.FencedError{Last: log.last[fence.Subject], Err: errors.New("wrong last sequence")}
	}
	if b.mu.limit > 0 && len(log.entries)+len(batch) > b.mu.limit {
		return 0, actors.ErrFull
	}
	for _, m := range batch {
		if len(m.Body) > b.MaxMessage() {
			return 0, fmt.Errorf("%w: %s takes %d bytes", actors.ErrRefused, m.Subject, len(m.Body))
		}
	}
	for _, m := range batch {
		d := actors.Delivery{Subject: m.Subject, Header: actors.Header(m), Body: m.Body}
		log.add(d)
		b.deliver(d)
	}
	log.announce()
	return log.end(), nil
}

// MaxMessage is a server's default, 1 MiB.
func (b *Bus) MaxMessage() int { return 1 << 20 }

// Trim drops entries below a sequence.
func (b *Bus) Trim(_ context.Context, below uint64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mu.log.trim(below)
	return nil
}

// MakeRoom keeps everything: memory has no quota.
func (b *Bus) MakeRoom(context.Context, uint64) error { return nil }

// Quarantine keeps refused bytes, once for each id.
func (b *Bus) Quarantine(_ context.Context, where, id, reason string, body []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.mu.kept[id]; !known {
		b.mu.kept[id] = Refused{Where: where, Reason: reason, Body: body}
	}
	return nil
}

// Quarantined returns what Quarantine kept, by id.
func (b *Bus) Quarantined() map[string]Refused {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.mu.kept)
}

// Save keeps a snapshot in place of an older one.
func (b *Bus) Save(_ context.Context, name string, s actors.Snapshot) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !s.Older(b.mu.snapshots[name], b.mu.log.end()) {
		b.mu.snapshots[name] = s
	}
	return nil
}

// Load returns the last snapshot.
func (b *Bus) Load(_ context.Context, name string) (actors.Snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s, ok := b.mu.snapshots[name]
	if !ok {
		return s, actors.ErrNoSnapshot
	}
	return s, nil
}

// Snapshots lists the sequences of all snapshots.
func (b *Bus) Snapshots(context.Context) (map[string]uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	seqs := make(map[string]uint64)
	for name, s := range b.mu.snapshots {
		seqs[name] = s.Seq
	}
	return seqs, nil
}

// Forget removes a snapshot.
func (b *Bus) Forget(_ context.Context, name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.mu.snapshots, name)
	return nil
}

// Lease takes or renews a lease.
func (b *Bus) Lease(_ context.Context, name, holder string, ttl time.Duration) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if l := b.mu.leases[name]; l.holder != holder && now.Before(l.expires) {
		return false, nil
	}
	b.mu.leases[name] = lease{holder, now.Add(ttl)}
	return true, nil
}

// Release gives a lease back.
func (b *Bus) Release(_ context.Context, name, holder string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mu.leases[name].holder == holder {
		delete(b.mu.leases, name)
	}
	return nil
}

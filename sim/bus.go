package sim

import (
	"errors"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// bus is what a pool's server keeps, without any clock: each call says when it
// takes effect. The simulated pool runs on it in virtual time, and in a test the
// conformance suite of actors runs over the very same code.
type bus struct {
	log, inbox *sequence
	ids        map[string]time.Time // message ids of the inbox, and when they came last
	limit      uint64               // entries that the log takes, 0 for no limit
	snapshots  map[string]actors.Snapshot
	leases     map[string]lease
	kept       map[string]string // in quarantine, by id: the reason
	history    blocks
}

type lease struct {
	holder  string
	expires time.Time
}

func newBus(created time.Time) *bus {
	return &bus{
		log: newSequence(created), inbox: newSequence(created), ids: make(map[string]time.Time),
		snapshots: make(map[string]actors.Snapshot), leases: make(map[string]lease), kept: make(map[string]string),
	}
}

// append adds a batch, all of it or nothing.
func (b *bus) append(now time.Time, batch []core.Draft, fence actors.Fence) (uint64, error) {
	if !b.log.holds(fence) {
		return 0, &actors.FencedError{Last: b.log.last(fence.Subject), Err: errWrongLast}
	}
	if b.limit > 0 && b.log.end+1-b.log.first+uint64(len(batch)) > b.limit {
		return 0, actors.ErrFull
	}
	for _, d := range batch {
		b.log.add(now, message{subject: d.Message.Subject, header: actors.Header(d.Message), body: d.Message.Body}, d.Event)
	}
	return b.log.end, nil
}

// publish adds a client's message to the inbox, unless its message id came within
// subjects.RepeatWindow.
func (b *bus) publish(now time.Time, m message) {
	id := m.header[messageID]
	if came, known := b.ids[id]; known && now.Sub(came) < subjects.RepeatWindow {
		return
	}
	if id != "" {
		b.ids[id] = now
	}
	b.inbox.add(now, m, nil)
}

// messageID is the header by which a stream knows a repeat.
const messageID = "Nats-Msg-Id"

func (b *bus) lease(now time.Time, name, holder string, ttl time.Duration) bool {
	if l := b.leases[name]; l.holder != holder && now.Before(l.expires) {
		return false
	}
	b.leases[name] = lease{holder, now.Add(ttl)}
	return true
}

func (b *bus) release(name, holder string) {
	if b.leases[name].holder == holder {
		delete(b.leases, name)
	}
}

// save keeps a snapshot in place of an older one.
func (b *bus) save(name string, s actors.Snapshot) {
	if !s.Older(b.snapshots[name], b.log.end) {
		b.snapshots[name] = s
	}
}

// saved lists the sequences of all snapshots.
func (b *bus) saved() map[string]uint64 {
	seqs := make(map[string]uint64, len(b.snapshots))
	for name, s := range b.snapshots {
		seqs[name] = s.Seq
	}
	return seqs
}

func (b *bus) load(name string) (actors.Snapshot, error) {
	s, ok := b.snapshots[name]
	if !ok {
		return s, actors.ErrNoSnapshot
	}
	return s, nil
}

// quarantine keeps a reason once for each id.
func (b *bus) quarantine(id, reason string) {
	if _, known := b.kept[id]; !known {
		b.kept[id] = reason
	}
}

var errWrongLast = errors.New("wrong last sequence")

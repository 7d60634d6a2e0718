package actors

import (
	"context"
	"errors"
	"slices"
	"time"

	"lull/subjects"
)

// Bus is a pool's messaging, as a shell needs it. A service uses JetStream, a test
// an implementation in memory, and the simulator one with virtual time. One
// conformance suite (package conformance) runs over every implementation.
type Bus interface {
	Pool() subjects.Pool

	// Log describes the pool's log.
	Log(ctx context.Context) (LogInfo, error)
	// Follow delivers the log's messages on filter ("" for all) from sequence
	// from on, in order and without gaps, until ctx ends.
	Follow(ctx context.Context, from uint64, filter string) (<-chan Delivery, error)
	// Append adds messages to the log, all or none, in order, if the last
	// message on fence.Subject has sequence fence.Seq. It returns the sequence
	// of the last one. ErrFenced: the fence did not hold, nothing was
	// appended. ErrUnknown: it may have been appended, or be appended later.
	// ErrFull, ErrBusy: no room, nothing was appended. ErrBatches: nothing was
	// appended, but a single message can be. ErrRefused: nothing was appended,
	// and repeating this batch is useless. A zero Fence is no condition.
	Append(ctx context.Context, batch []subjects.Message, fence Fence) (uint64, error)
	// MaxMessage is the largest message that the log accepts, in bytes, including
	// its trace and the headers of a batch.
	MaxMessage() int
	// Trim drops the log's messages below a sequence.
	Trim(ctx context.Context, below uint64) error

	// InboxInfo describes the inbox.
	InboxInfo(ctx context.Context) (LogInfo, error)
	// Inbox delivers what clients published, as Follow does for the log: the messages
	// that match one of the filters, or all without filters.
	Inbox(ctx context.Context, from uint64, filters ...string) (<-chan Delivery, error)
	// MakeRoom marks the inbox's messages below a sequence as no longer needed, because the log has
	// the decisions on them. The bus drops them when the inbox is short of room.
	MakeRoom(ctx context.Context, below uint64) error
	// Quarantine keeps a message that lull cannot read, with the reason. It keeps one
	// message for each id.
	Quarantine(ctx context.Context, where, id, reason string, body []byte) error

	// PutHistory keeps a block of history (subjects/history) in place of the one under the
	// same subject. ErrHistoryFull: there is no room, and nothing was kept.
	PutHistory(ctx context.Context, m subjects.Message) error
	// HistoryInfo describes the stream of history. If Created has changed, it is a new
	// stream, with sequences from 1 on.
	HistoryInfo(ctx context.Context) (LogInfo, error)
	// ReadHistory calls take with the blocks that match filter, in order of sequence from from on, up
	// to the present end. It returns the sequence at which the next call should begin. It ends with the
	// first error of take.
	ReadHistory(ctx context.Context, from uint64, filter string, take func(Delivery) error) (next uint64, err error)

	// Listen delivers core messages on a subject. It drops messages when the reader is slow.
	Listen(ctx context.Context, subject string) (<-chan Delivery, error)
	// Publish sends a core message: telemetry, or a reply.
	Publish(subject string, body []byte) error

	// Save stores an actor's snapshot durably, unless it is older than the stored
	// one (Snapshot.Older). Load returns the stored one, or ErrNoSnapshot. Snapshots
	// lists all names with their sequences. Forget removes a snapshot, if there is
	// one.
	Save(ctx context.Context, name string, s Snapshot) error
	Load(ctx context.Context, name string) (Snapshot, error)
	Snapshots(ctx context.Context) (map[string]uint64, error)
	Forget(ctx context.Context, name string) error

	// Lease takes or renews a lease for ttl and reports whether holder has it.
	Lease(ctx context.Context, name, holder string, ttl time.Duration) (bool, error)
	// Release gives a lease back early.
	Release(ctx context.Context, name, holder string) error
}

// LogInfo describes a log or an inbox. Different Created times mean different logs; a zero Created
// is unknown. An empty log has First = Last + 1.
type LogInfo struct {
	Created     time.Time
	First, Last uint64
	// Subjects are the patterns that the log keeps, including those that a newer
	// version added. Nil if the bus keeps every subject.
	Subjects []string
}

// Keeps reports whether a message published on subject enters the log. A consumer of another stream
// can deliver messages into the log that keep their foreign subjects. Publishing those needs no right to
// write the log, so folds skip them.
func (i LogInfo) Keeps(subject string) bool {
	return i.Subjects == nil || slices.ContainsFunc(i.Subjects, func(p string) bool { return Match(p, subject) })
}

// Delivery is one message as the bus delivers it.
type Delivery struct {
	Subject string
	Reply   string
	Header  map[string]string // lower-case traceparent; others as sent
	Body    []byte
	Seq     uint64 // 0 for core messages
	Time    time.Time
	Pending uint64 // messages after this one in the stream when it was delivered
}

// Size returns the bytes of the subject, the reply subject, the headers and the body.
func (d Delivery) Size() int {
	n := len(d.Subject) + len(d.Reply) + len(d.Body)
	for key, value := range d.Header {
		n += len(key) + len(value)
	}
	return n
}

// Fence is the condition of an Append.
type Fence struct {
	Subject string
	Seq     uint64 // 0: no message yet
}

// Snapshot is an actor's state at a position of one log.
type Snapshot struct {
	Created time.Time `msgpack:"created"` // of the log
	Seq     uint64    `msgpack:"seq"`
	Version int       `msgpack:"version"` // of the fold; a fold of another version refuses the snapshot
	Led     uint64    `msgpack:"led"`     // last Led of the partition at Seq, 0 for none
	State   []byte    `msgpack:"state"`
}

// Older reports whether s must not replace the stored snapshot, in a log that ends at last. The log may
// have been trimmed up to the stored one. If an older one, saved late, replaced it, the entries in between
// would be lost. A stored snapshot of another log or version, or beyond the log's end, may be replaced by
// any.
func (s Snapshot) Older(stored Snapshot, last uint64) bool {
	return stored.Created.Equal(s.Created) && stored.Version == s.Version &&
		s.Seq < stored.Seq && stored.Seq <= last
}

var (
	// ErrFenced says: the fence did not hold; another instance leads.
	ErrFenced = errors.New("fenced: another instance has written a newer Led")
	// ErrUnknown says: the outcome of an append is not known.
	ErrUnknown = errors.New("the append was not acknowledged: it may or may not have happened")
	// ErrFull says: the log has no room.
	ErrFull = errors.New("the log has no room: free some disk space, then lull continues by itself")
	// ErrBusy says: the server's queue of messages to be written is full; nothing was appended.
	ErrBusy = errors.New("the server's queue of messages to be written is full: the events are sent again; if this lasts, look for a client that floods the server")
	// ErrBatches says: the server has reached its limit of open atomic batches.
	ErrBatches = errors.New("the server has too many open batches, held by other clients: allow only lull's services and agents to write to it; events go out one by one until the server accepts a batch again")
	// ErrHistoryFull says: the stream of history has no room.
	ErrHistoryFull = errors.New("the stream of history has no room: blocks leave it after 31 days; until then raise its limit of bytes or messages (nats stream edit)")
	// ErrRefused says: the server will never accept this batch.
	ErrRefused = errors.New("the server refuses the events for good")
	// ErrNoSnapshot says: none was saved under the name.
	ErrNoSnapshot = errors.New("no snapshot")
)

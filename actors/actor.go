package actors

import (
	"time"

	"lull/subjects"
)

// Actor is the pure half of a service. It must not read a clock, do I/O, start
// goroutines, iterate over a map where order shows, or use global randomness.
type Actor interface {
	// Step folds one input and, when in.Decide is set, returns what the state
	// now calls for. It never changes state for a decision of its own: that
	// happens when the decision comes back as an Entry.
	Step(in Input) Output
	// Snapshot returns the state after the last Step.
	Snapshot() ([]byte, error)
	// Restore replaces the state by a snapshot's.
	Restore([]byte) error
}

// Answerer is an actor that answers questions from its state, between steps.
type Answerer interface {
	// Answer returns the reply to a message on Pool.Ask(ask).
	Answer(ask string, body []byte) []byte
}

// Inboxed is an actor that handles the inbox.
type Inboxed interface {
	// InboxFrom is the highest sequence of the inbox that the log has dealt
	// with: a new leader is given what follows it.
	InboxFrom() uint64
}

// Backlogged is an actor that bounds what it takes from the inbox before it decides. While it
// returns true, further messages wait in the stream, not in memory.
type Backlogged interface{ Backlogged() bool }

// Recaller is an actor that remembers the verdicts on earlier messages, for a client that repeats
// one. The inbox does not keep a repeat, so it would never become a Request.
type Recaller interface {
	// Recall returns the verdict on the message, if the log holds one.
	// Seq and Time of the Request are zero.
	Recall(Request) (subjects.Verdict, bool)
}

// Loaded is an actor with work whose end frees memory.
type Loaded interface {
	// Open is how many jobs have not ended.
	Open() int
}

// Gapped is an actor whose fold may begin anywhere (Role.Anywhere), and that must know when entries
// were trimmed which it has not folded.
type Gapped interface{ Gap() }

// Urgent is an actor that some requests free memory of. While new work waits in the
// inbox because memory is full, the shell reads these past it, and gives them to the
// actor as Early. They come again in their turn, and then mean what they always do.
type Urgent interface {
	// Urgent lists the subjects of these requests, as patterns.
	Urgent() []string
}

// Traced is an actor that knows what its decisions continue.
type Traced interface {
	// Trace returns the traceparent of the work that e belongs to, "" for none.
	Trace(e subjects.Event) string
}

// Input is one step's input: the time, and at most one of Entry, Sample,
// Request, Report and Refused. None of them is a tick.
type Input struct {
	// Now is the last log timestamp plus the monotonic time since then.
	Now time.Time
	// Term is the stream sequence of the Led that makes this instance the
	// writer of its partition, 0 while it is not.
	Term uint64
	// Decide asks for decisions: the instance leads, has folded all it has
	// read, and has no batch in flight. Without it Output.Events is ignored.
	Decide bool
	// Memory is the memory use of the process, zero if it is not measured. The
	// actor reports it to users; decisions must not depend on it.
	Memory subjects.Memory

	Entry   *Entry
	Sample  subjects.Telemetry
	Request *Request
	Report  any // what the shell's Perform reported of an action
	Refused *Refused
}

// Refused is a decision that the log does not accept. The shell drops it, and
// equal ones for the next minute. The actor must decide otherwise, and remember
// the refusal until its other decision is in the log.
type Refused struct {
	Event subjects.Event
	Why   string // a message for users
}

// Entry is one event of the log.
type Entry struct {
	Seq   uint64
	Time  time.Time // when the log took it
	Event subjects.Event
}

// Request is one message of the inbox, still in the client's bytes.
type Request struct {
	Seq       uint64
	Time      time.Time
	Subject   string
	MessageID string // Nats-Msg-Id, "" if the client gave none
	Client    string // header Lull-Client
	Trace     string // header traceparent
	Body      []byte
	// Early says that the shell read it past messages that wait for memory: see
	// Urgent. It comes again in its turn.
	Early bool
}

// Size is the bytes of its texts.
func (r *Request) Size() int {
	return len(r.Subject) + len(r.MessageID) + len(r.Client) + len(r.Trace) + len(r.Body)
}

// Output is what a step calls for.
type Output struct {
	// Events are appended to the log as one atomic batch, at most MaxBatch.
	Events []subjects.Event
	// Actions are performed by the shell as they stand here, whether or not
	// Decide was set, but only while the instance leads.
	Actions []Action
	// Quarantine keeps the Request of this step aside, with the reason.
	Quarantine string
	// Replies are sent to the senders that wait for the verdict on an inbox message.
	Replies []Reply
	// Wake asks for a tick at this time; zero for none. The latest Output
	// replaces an earlier wish.
	Wake time.Time
}

// Reply is the verdict on the inbox message with this sequence.
type Reply struct {
	Inbox   uint64
	Verdict subjects.Verdict
}

// Action is something only a shell can do, such as starting a process.
type Action any

// MaxBatch is the server's limit of events in one atomic batch.
const MaxBatch = 1000

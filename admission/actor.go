package admission

import (
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// Name is the actor's name in leases, terms and snapshots.
const Name = "admission"

// Version of snapshots: the ledger's version and that of admission's own section.
const Version = ledger.Version<<8 | ownVersion

// Reads lists the earlier versions of snapshots that Restore reads.
var Reads = []int{ledger.Unsectioned, 8<<8 | 4}

// Actor is the pure half of the service. Make it with New.
type Actor struct {
	cfg   Config
	state *ledger.State
	now   int64 // Unix nanoseconds of the last step
	led   int64 // when an admission took the lead last
	// memory is the process's memory use at the last step, for answers to users.
	memory subjects.Memory

	pending []*message          // inbox messages without an event, in order
	heavy   int                 // bytes of their bodies
	open    ledger.Jobs         // jobs without a verdict, by submission
	senders senders             // jobs by sender and id
	waiting map[string][]uint64 // further inbox messages that wait for a job's verdict
	urgent  []urgent            // cancels that were read before their turn
	early   map[uint64]string   // inbox sequence of an urgent cancel that was answered → its job
	usage   map[string]*window  // what hosts' primaries leave idle
	checkAt int64               // next look at the promises
	checked int                 // jobs of the queue that the look has seen which goes on then
	settles int64               // when a verdict that waits will be due, 0 for none

	// What predictions are made of.
	book     book
	queue    queue // live jobs that were admitted, by deadline
	like     load  // by which one of them is found
	supply   supply
	curves   *tct.Curves
	classes  map[needs]*class
	units    map[unitKey]*unit
	touched  map[string]bool   // jobs with tasks that changed since the last check
	refitted map[string]bool   // models that changed since the last check
	learnt   map[string]uint64 // model → the lesson that changed it last
	lessons  uint64
	paced    []*load // that ran at the last check
}

var (
	_ actors.Actor      = (*Actor)(nil)
	_ actors.Answerer   = (*Actor)(nil)
	_ actors.Inboxed    = (*Actor)(nil)
	_ actors.Loaded     = (*Actor)(nil)
	_ actors.Recaller   = (*Actor)(nil)
	_ actors.Backlogged = (*Actor)(nil)
	_ actors.Traced     = (*Actor)(nil)
	_ actors.Urgent     = (*Actor)(nil)
)

// New returns the admission of an empty log.
func New(cfg Config) (*Actor, error) {
	cfg.fill()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	a := &Actor{cfg: cfg}
	a.reset(ledger.New())
	return a, nil
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.state }

// Open is how many jobs have not ended.
func (a *Actor) Open() int { return a.state.LiveJobs().Len() }

// InboxFrom is the last inbox message that has its event.
func (a *Actor) InboxFrom() uint64 { return a.state.Inbox }

const (
	maxPending   = 1000    // messages of the inbox that wait for an event
	pendingBytes = 4 << 20 // and their bytes, if they are more than one
)

// Backlogged reports whether the limit of messages that wait for their events is reached.
func (a *Actor) Backlogged() bool {
	return len(a.pending)+len(a.urgent) >= maxPending || a.heavy >= pendingBytes
}

// Step folds one input and decides.
func (a *Actor) Step(in actors.Input) actors.Output {
	a.setTime(in.Now.UnixNano())
	a.memory = in.Memory
	var out actors.Output
	switch {
	case in.Entry != nil:
		out.Replies = a.fold(in.Entry)
	case in.Request != nil:
		out.Quarantine, out.Replies = a.receive(in.Request)
	case in.Sample != nil:
		a.hear(in.Sample)
	case in.Refused != nil:
		a.turnedDown(in.Refused)
	}
	if in.Decide {
		out.Replies = append(out.Replies, a.screen()...)
		out.Events = a.decide()
	}
	out.Wake = a.wake()
	return out
}

// hear takes in a host's usage. The first word of a host changes the pool at
// once.
func (a *Actor) hear(sample subjects.Telemetry) {
	u, ok := sample.(*subjects.Usage)
	if !ok {
		return
	}
	w := a.usage[u.Host]
	if w == nil || a.now-w.heard > int64(a.cfg.Stale) {
		if a.state.Host(u.Host) == nil {
			return
		}
		w, a.supply.at = new(window), 0
		a.usage[u.Host] = w
	}
	w.add(a.now, u.Idle)
}

// margin is the share that is added to every prediction. The paper's mode
// learns nothing from its promises.
func (a *Actor) margin() float64 {
	if a.cfg.Mode == ModeEq7 {
		return a.cfg.Margin
	}
	return a.cfg.Margin + a.book.Margin
}

// Margin is the share that is added to every prediction, for metrics.
func (a *Actor) Margin() float64 { return a.margin() }

func (a *Actor) wake() time.Time {
	at := a.now + int64(a.cfg.Check)
	if a.checkAt > a.now {
		at = min(at, a.checkAt)
	}
	if a.settles > a.now {
		at = min(at, a.settles)
	}
	return time.Unix(0, at)
}

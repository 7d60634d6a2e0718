package admission

import (
	"time"

	"lull/actors"
	"lull/admission/facts"
	"lull/admission/inbox"
	"lull/admission/judge"
	"lull/admission/pool"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Name is the actor's name in leases, terms and snapshots.
const Name = "admission"

// Version of snapshots: the ledger's version and that of admission's own section.
const Version = ledger.Version<<8 | ownVersion

// Reads lists the earlier versions of snapshots that Restore reads.
var Reads = []int{ledger.Unsectioned, 8<<8 | 4, 9<<8 | 5, 9<<8 | 6}

// Actor is the pure half of the service. Make it with New.
type Actor struct {
	facts    *facts.Facts
	inbox    *inbox.Inbox
	pool     *pool.Pool
	judge    *judge.Judge
	verdicts *verdicts
	trials   *pool.Trials
	checker  *checker
	// memory is the process's memory use at the last step, for answers to users.
	memory subjects.Memory
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
	cfg.Fill()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	a := &Actor{facts: &facts.Facts{Config: cfg}}
	a.reset(ledger.New())
	return a, nil
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.facts.Ledger }

// Open is how many jobs have not ended.
func (a *Actor) Open() int { return a.facts.Ledger.LiveJobs().Len() }

// InboxFrom is the last inbox message that has its event.
func (a *Actor) InboxFrom() uint64 { return a.facts.Ledger.Inbox }

// Backlogged reports whether the limit of messages that wait for their events is reached.
func (a *Actor) Backlogged() bool {
	return a.inbox.Full()
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
		out.Quarantine, out.Replies = a.inbox.Receive(in.Request)
	case in.Sample != nil:
		a.pool.Supply.AddUsage(in.Sample)
	case in.Refused != nil:
		a.inbox.TurnedDown(in.Refused)
	}
	if in.Decide {
		out.Replies = append(out.Replies, a.inbox.Screen()...)
		out.Events = a.decide()
	}
	out.Wake = a.wake()
	return out
}

// Margin is the share that is added to every prediction, for metrics.
func (a *Actor) Margin() float64 { return a.facts.Margin() }

func (a *Actor) wake() time.Time {
	at := a.facts.Now + int64(a.facts.Config.Check)
	if a.checker.checkAt > a.facts.Now {
		at = min(at, a.checker.checkAt)
	}
	if a.verdicts.settles > a.facts.Now {
		at = min(at, a.verdicts.settles)
	}
	return time.Unix(0, at)
}

// Urgent lists the subjects of cancels.
func (a *Actor) Urgent() []string { return a.facts.Config.Pool.CancelSubjects() }

// Claim returns the event that opens a term. By it every reader of the log knows whether users in
// subjects are proven.
func (a *Actor) Claim(instance string) subjects.Event {
	return &subjects.Led{Actor: Name, Partition: subjects.WholePool, Instance: instance, Format: subjects.Format, Vouched: a.facts.Config.Vouched}
}

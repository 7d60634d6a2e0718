package admission

import "lull/subjects/ledger"

// inbox holds what came from clients and has no event yet, and answers its senders.
type inbox struct {
	*facts
	pending []*message          // messages without an event, in order
	heavy   int                 // bytes of their bodies
	open    ledger.Jobs         // jobs without a verdict, by submission
	senders senders             // jobs by sender and id
	waiting map[string][]uint64 // further messages that wait for a job's verdict
	urgents *urgents
	names   *queueNames
}

func newInbox(f *facts, names *queueNames) *inbox {
	return &inbox{
		facts: f, open: ledger.NewJobs(), senders: sendersOf(f.state.Jobs()), waiting: map[string][]uint64{},
		names: names, urgents: &urgents{facts: f, early: map[uint64]string{}},
	}
}

const (
	maxPending   = 1000    // messages of the inbox that wait for an event
	pendingBytes = 4 << 20 // and their bytes, if they are more than one
)

// full reports whether no more messages may be kept.
func (in *inbox) full() bool {
	return len(in.pending)+len(in.urgents.urgent) >= maxPending || in.heavy >= pendingBytes
}

package admission

import (
	"lull/admission/facts"
	"lull/subjects/ledger"
)

// inbox holds what came from clients and has no event yet, and answers its senders.
type inbox struct {
	*facts.Facts
	pending []*message          // messages without an event, in order
	heavy   int                 // bytes of their bodies
	open    ledger.Jobs         // jobs without a verdict, by submission
	senders senders             // jobs by sender and id
	waiting map[string][]uint64 // further messages that wait for a job's verdict
	urgents *urgents
	names   *facts.QueueNames
}

func newInbox(f *facts.Facts, names *facts.QueueNames) *inbox {
	return &inbox{
		Facts: f, open: ledger.NewJobs(), senders: sendersOf(f.Ledger.Jobs()), waiting: map[string][]uint64{},
		names: names, urgents: &urgents{Facts: f, early: map[uint64]string{}},
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

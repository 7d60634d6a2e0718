// Package inbox holds the messages of clients that have no event yet, and answers their senders.
package inbox

import (
	"lull/admission/facts"
	"lull/subjects/ledger"
)

// Inbox holds what came from clients and has no event yet, and answers its senders.
type Inbox struct {
	*facts.Facts
	Pending      []*Message          // messages without an event, in order
	PendingBytes int                 // bytes of their bodies
	Undecided    ledger.Jobs         // jobs without a verdict, by submission
	senders      senders             // jobs by sender and id
	Waiting      map[string][]uint64 // further messages that wait for a job's verdict
	EarlyCancels *earlyCancels
	names        *facts.QueueNames
}

// New returns the inbox of an admission that has read none of its messages yet.
func New(f *facts.Facts, names *facts.QueueNames) *Inbox {
	return &Inbox{
		Facts: f, Undecided: ledger.NewJobs(), senders: sendersOf(f.Ledger.Jobs()), Waiting: map[string][]uint64{},
		names: names, EarlyCancels: &earlyCancels{Facts: f, answered: map[uint64]string{}},
	}
}

const (
	maxPending      = 1000    // messages of the inbox that wait for an event
	maxPendingBytes = 4 << 20 // and their bytes, if they are more than one
)

// Full reports whether no more messages may be kept.
func (in *Inbox) Full() bool {
	return len(in.Pending)+len(in.EarlyCancels.pending) >= maxPending || in.PendingBytes >= maxPendingBytes
}

package queues

import (
	"lull/slotter/capacity"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Queue is a queue with live jobs.
type Queue struct {
	Name   string
	Weight float64          // at least subjects.MinWeight
	Slots  capacity.Account // in slots
	Reads  capacity.Account // in parts of the pool's capacity
	Unmet  Unmet            // its claim to slots, for its share

	// Of the current round, in slots.
	HeldSlots     int // by attempts, and those just planned
	WaitingSlots  int // asked for by tasks that wait
	YieldingSlots int // by attempts that are to end for others

	limit  int // jobs that run at once, 0 for any number
	live   int // jobs
	begun  int // jobs that may have tasks in this round
	fair   float64
	borrow float64 // up to which deadlines at risk are served out of turn
}

// reweigh takes in what the operator set. The weight has a lower bound: slots over
// it are compared as whole numbers.
func (q *Queue) reweigh(state *ledger.State) {
	set, _ := state.Queue(q.Name)
	q.Weight, q.limit = max(set.Weight, subjects.MinWeight), int(set.Jobs)
}

// Limited reports whether the queue limits how many of its jobs run at once.
func (q *Queue) Limited() bool { return q.limit > 0 }

// HasRoom reports whether one more job may have tasks in this round.
func (q *Queue) HasRoom() bool { return q.limit == 0 || q.begun < q.limit }

// Admit counts in one job more of a queue with a limit, if it may have tasks in
// this round.
func (q *Queue) Admit() bool {
	if q.begun == q.limit {
		return false
	}
	q.begun++
	return true
}

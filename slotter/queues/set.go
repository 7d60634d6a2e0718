package queues

import (
	"slices"
	"strings"

	"lull/subjects/ledger"
)

// Set is the queues with live jobs. Make it with New.
type Set struct {
	of       map[string]*Queue
	byName   []*Queue
	at       int64 // when the accounts of slots were advanced last
	weighted bool
}

// New returns the queues of a pool without live jobs.
func New(state *ledger.State) *Set {
	s := &Set{of: map[string]*Queue{}}
	s.Reweigh(state)
	return s
}

// All lists the queues by name.
func (s *Set) All() []*Queue { return s.byName }

// Get returns the queue of a name, nil if it has no live jobs.
func (s *Set) Get(name string) *Queue { return s.of[name] }

// Several reports whether more than one queue has live jobs.
func (s *Set) Several() bool { return len(s.byName) > 1 }

// Weighted reports whether the operator gave any queue a weight.
func (s *Set) Weighted() bool { return s.weighted }

// Reweigh takes in what the operator set for queues.
func (s *Set) Reweigh(state *ledger.State) {
	s.weighted = false
	for range state.Queues() {
		s.weighted = true
	}
	for _, q := range s.byName {
		q.reweigh(state)
	}
}

// Join counts a job into its queue, and returns the queue.
func (s *Set) Join(state *ledger.State, name string) *Queue {
	q := s.of[name]
	if q == nil {
		q = &Queue{Name: name}
		q.reweigh(state)
		s.of[name] = q
		at, _ := s.indexOf(name)
		s.byName = slices.Insert(s.byName, at, q)
	}
	q.live++
	return q
}

// Leave counts a job out. A queue without jobs is forgotten: it lacks nothing while it has
// no job. If one queue remains, it owes nothing for the time that follows.
func (s *Set) Leave(q *Queue) {
	if q.live--; q.live > 0 {
		return
	}
	delete(s.of, q.Name)
	if at, ok := s.indexOf(q.Name); ok {
		s.byName = slices.Delete(s.byName, at, at+1)
	}
	if len(s.byName) == 1 {
		s.byName[0].Slots.Pause()
	}
}

func (s *Set) indexOf(name string) (int, bool) {
	return slices.BinarySearchFunc(s.byName, name, func(q *Queue, name string) int { return strings.Compare(q.Name, name) })
}

// ClearAdmitted begins a round's count of jobs, and reports whether any queue
// limits them.
func (s *Set) ClearAdmitted() (limited bool) {
	for _, q := range s.byName {
		q.begun = 0
		limited = limited || q.Limited()
	}
	return limited
}

// ClearDemand begins a round's count of slots.
func (s *Set) ClearDemand() {
	for _, q := range s.byName {
		q.HeldSlots, q.WaitingSlots = 0, 0
	}
}

// ClearYields begins a round's count of attempts that are to end for others.
func (s *Set) ClearYields() {
	for _, q := range s.byName {
		q.YieldingSlots = 0
	}
}

// ClearUnmet notes that no task waits for a slot: a claim that comes later begins
// anew.
func (s *Set) ClearUnmet() {
	for _, q := range s.byName {
		q.Unmet = Unmet{}
	}
}

// PauseAccounts has the accounts count nothing until they are advanced next, because it is not known
// what queues had since they were advanced last.
func (s *Set) PauseAccounts() {
	for _, q := range s.byName {
		q.Slots.Pause()
		q.Reads.Pause()
	}
}

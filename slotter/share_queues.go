package slotter

import (
	"slices"
	"strings"

	"lull/slotter/capacity"
	"lull/subjects"
	"lull/subjects/ledger"
)

// queue is a queue with live jobs. What waits in different queues stands in
// different lines.
type queue struct {
	name   string
	weight float64
	limit  int              // jobs that run at once, 0 for any number
	live   int              // jobs
	slots  capacity.Account // in slots
	reads  capacity.Account // in parts of the pool's capacity
	want   want             // of slots, for its share

	// Of the current round, in slots.
	begun  int     // jobs that may have tasks
	held   int     // by attempts, and those just planned
	waits  int     // asked for by tasks that wait
	fair   float64 // its share
	borrow float64 // up to which deadlines at risk are served out of turn
	yields int     // by attempts that are to end for others
}

// queues are those with live jobs.
type queues struct {
	of       map[string]*queue
	byName   []*queue
	at       int64 // when their accounts were advanced last
	weighted bool  // an operator gave one a weight
}

func newQueues(state *ledger.State) queues {
	s := queues{of: map[string]*queue{}}
	s.reweigh(state)
	return s
}

// reweigh takes in what operators say of queues.
func (s *queues) reweigh(state *ledger.State) {
	s.weighted = false
	for range state.Queues() {
		s.weighted = true
	}
	for _, q := range s.byName {
		q.reweigh(state)
	}
}

// reweigh keeps the weight where slots over it, which are compared as whole numbers, are some.
func (q *queue) reweigh(state *ledger.State) {
	said, _ := state.Queue(q.name)
	q.weight, q.limit = max(said.Weight, subjects.MinWeight), int(said.Jobs)
}

// join counts a job in.
func (s *queues) join(state *ledger.State, name string) *queue {
	q := s.of[name]
	if q == nil {
		q = &queue{name: name}
		q.reweigh(state)
		s.of[name] = q
		at, _ := s.find(name)
		s.byName = slices.Insert(s.byName, at, q)
	}
	q.live++
	return q
}

// leave counts a job out. A queue without jobs is forgotten: what it did not use
// meanwhile, it did not lack. Nor does one that is left alone have more than its share.
func (s *queues) leave(q *queue) {
	if q.live--; q.live > 0 {
		return
	}
	delete(s.of, q.name)
	if at, ok := s.find(q.name); ok {
		s.byName = slices.Delete(s.byName, at, at+1)
	}
	if len(s.byName) == 1 {
		s.byName[0].slots.Rest()
	}
}

func (s *queues) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s.byName, name, func(q *queue, name string) int { return strings.Compare(q.name, name) })
}

// admits reports whether one job more of the queue may have tasks in this
// round: the first of them by submission. A job that has begun goes on, because
// those before it have ended or begun too.
func (q *queue) admits() bool {
	q.begun++
	return q.limit == 0 || q.begun <= q.limit
}

// begin lets the queues' first jobs have tasks again.
func (s *queues) begin() {
	for _, q := range s.byName {
		q.begun = 0
	}
}

// accounts is what a snapshot keeps of queues.
type accounts struct {
	At    int64              `msgpack:"at"`
	Names []string           `msgpack:"names"`
	Slots []capacity.Account `msgpack:"slots"`
	Reads []capacity.Account `msgpack:"reads"`
	Wants []want             `msgpack:"wants,omitempty"`
}

// keep is nil as long as no queue ever competed with another.
func (s *queues) keep() *accounts {
	if s.at == 0 {
		return nil
	}
	form := &accounts{At: s.at}
	for _, q := range s.byName {
		form.Names, form.Slots, form.Reads = append(form.Names, q.name), append(form.Slots, q.slots), append(form.Reads, q.reads)
		form.Wants = append(form.Wants, q.want)
	}
	return form
}

// restore takes over what a snapshot kept.
func (s *queues) restore(form *accounts) {
	if form == nil {
		return
	}
	s.at = form.At
	for i, name := range form.Names {
		if q := s.of[name]; q != nil && i < min(len(form.Slots), len(form.Reads)) {
			q.slots, q.reads = form.Slots[i], form.Reads[i]
			if i < len(form.Wants) {
				q.want = form.Wants[i]
			}
		}
	}
}

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

// admits counts in one job more of a queue with a limit, if it may have tasks in this
// round.
func (q *queue) admits() bool {
	if q.begun == q.limit {
		return false
	}
	q.begun++
	return true
}

// admit finds out which jobs may have tasks in this round. Of a queue with a limit these
// are the jobs that run, and then, by submission, those that a host could run. A job
// whose hosts are away takes no other's place.
func (r *round) admit() {
	limited := false
	for _, q := range r.a.queues.byName {
		q.begun = 0
		limited = limited || q.limit > 0
	}
	for _, j := range r.a.jobs.bySeq {
		j.admitted = j.queue.limit == 0 || j.life.Held() > 0 && j.queue.admits()
	}
	if !limited {
		return
	}
	could := map[*line]bool{}
	for _, j := range r.a.jobs.bySeq {
		q := j.queue
		if !j.admitted && q.begun < q.limit && j.life.Held() == 0 && r.runnable(j, could) {
			j.admitted = q.admits()
		}
	}
}

// runnable reports whether a host that takes tasks could run one of the job's. could is
// what is known of lines.
func (r *round) runnable(j *job, could map[*line]bool) bool {
	if _, dead := j.life.Dead(); dead {
		return false
	}
	for i, st := range j.life.Stages {
		if st.Waiting() == 0 || !j.life.Ready(i) {
			continue
		}
		l := r.group(j, i).line
		fits, known := could[l]
		if !known {
			fits = slices.ContainsFunc(r.a.hosts.byName, func(h *host) bool { return r.a.eligible(h) && h.couldFit(l) })
			could[l] = fits
		}
		if fits {
			return true
		}
	}
	return false
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

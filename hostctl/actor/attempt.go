package actor

import (
	"cmp"
	"slices"
	"time"

	"lull/subjects"
)

// attempt is one that the log says this host holds.
type attempt struct {
	id    uint64
	job   string
	what  subjects.TaskID
	doc   uint64 // log sequence of the job's document
	try   uint32
	place uint32 // in the log's numbering: of its slots, or of a place ahead
	width uint32
	said  bool // its Started stands in the log

	// The rest is known to this process alone and begins anew with it.

	phase   phase
	came    time.Time // when it was assigned
	slot    uint32    // whose shim runs it, from its start on
	running bool
	exited  bool      // its process is gone and its output is being committed
	at      int64     // start of its process, Unix nanoseconds
	since   mark      // residual meter at its start
	kill    string    // why it is to end, "" if it is not
	why     string    // more of it, for people
	atOnce  bool      // it gets no grace
	killed  bool      // Kill was asked for
	trace   string    // of its job
	end     *Ended    // what waits to be said
	over    time.Time // when end was set
	mean    float64   // residual over its run, set when its process is gone

	rate, priority float64 // that the shell was told to pace it at, in bytes/s
}

type phase uint8

const (
	given   phase = iota // it waits for a slot
	started              // its process is being made, or runs
	ended                // what became of it is known and to be said
)

// occupies reports whether the attempt uses slots right now.
func (t *attempt) occupies() bool { return t.phase == started && !t.exited }

// task is the attempt as actions speak of it.
func (t *attempt) task() Task {
	return Task{Attempt: t.id, Job: t.job, TaskID: t.what, Doc: t.doc, Try: t.try, Slot: t.slot, Width: t.width}
}

// overlaps reports whether two attempts were given the same place.
func (t *attempt) overlaps(o *attempt) bool {
	return t.place < o.place+o.width && o.place < t.place+t.width
}

// find returns where the attempt is, or would be, in the list.
func (a *Actor) find(id uint64) (int, bool) {
	return slices.BinarySearchFunc(a.held, id, func(t *attempt, id uint64) int { return cmp.Compare(t.id, id) })
}

func (a *Actor) attempt(id uint64) *attempt {
	if i, ok := a.find(id); ok {
		return a.held[i]
	}
	return nil
}

func (a *Actor) add(t *attempt) {
	if i, ok := a.find(t.id); !ok {
		a.held = slices.Insert(a.held, i, t)
		a.changed = true
	}
}

// remove forgets an attempt whose end the ledger has accepted.
func (a *Actor) remove(id uint64) *attempt {
	i, ok := a.find(id)
	if !ok {
		return nil
	}
	t := a.held[i]
	a.held = slices.Delete(a.held, i, i+1)
	a.changed = true
	return t
}

// busy is the number of slots in use.
func (a *Actor) busy() int {
	n := 0
	for _, t := range a.held {
		if t.occupies() {
			n += int(t.width)
		}
	}
	return n
}

// open is the lowest slot whose shim runs nothing. There is one whenever fewer
// slots are in use than the host has.
func (a *Actor) open() uint32 {
	for slot := uint32(0); ; slot++ {
		if !slices.ContainsFunc(a.held, func(t *attempt) bool { return t.occupies() && t.slot == slot }) {
			return slot
		}
	}
}

package actor

import (
	"time"

	"lull/subjects"
)

// attempt is one that the log assigns to this host.
type attempt struct {
	id    uint64
	job   string
	what  subjects.TaskID
	doc   uint64 // log sequence of the job's document
	try   uint32
	place uint32 // in the log's numbering: of its slots, or of a place ahead
	width uint32
	part  uint32 // of the last of its places, in thousandths; 0: all of it
	probe bool   // see subjects.Assigned
	said  bool   // its Started stands in the log

	// The rest is known to this process only and is lost with it.

	phase   phase
	came    time.Time // when it was assigned
	slot    uint32    // the slot of the shim that runs it, from its start on
	running bool
	exited  bool      // its process is gone and its output is being committed
	at      int64     // start of its process, Unix nanoseconds
	since   mark      // residual meter at its start
	saved   mark      // residual meter when it last wrote to its checkpoint folder; zero for never
	kill    string    // reason why it is to end, "" if it is not
	why     string    // explanation of the reason, for people
	haste   Haste     // with which it is to end
	killed  bool      // Kill was asked for with it
	trace   string    // of its job
	end     *Ended    // to be reported
	over    time.Time // when end was set
	mean    float64   // residual over its run, set when its process is gone

	rate, priority float64 // of the last Pace; rate in bytes/s
}

type phase uint8

const (
	given   phase = iota // it waits for a slot
	started              // its process is being created, or runs
	ended                // its end is known and must be reported
)

// occupies reports whether the attempt uses slots right now.
func (t *attempt) occupies() bool { return t.phase == started && !t.exited }

// task is the attempt as actions name it.
func (t *attempt) task() Task {
	return Task{Attempt: t.id, Job: t.job, TaskID: t.what, Doc: t.doc, Try: t.try, Slot: t.slot, Width: t.width, Part: t.part, Probe: t.probe}
}

// overlaps reports whether two attempts were assigned the same place, and do not share it.
func (t *attempt) overlaps(o *attempt) bool {
	return t.place < o.place+o.width && o.place < t.place+t.width && !t.shares(o)
}

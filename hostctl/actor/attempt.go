package actor

import (
	"time"

	"lull/subjects"
)

// attempt is an attempt at a task that the log assigns to this host.
type attempt struct {
	id        uint64
	job       string
	taskID    subjects.TaskID
	docSeq    uint64 // log sequence of the job's document
	try       uint32
	firstSlot uint32 // as the log numbers slots and, beyond them, places ahead
	width     uint32 // slots from firstSlot on
	part      uint32 // of its last slot, in thousandths of a core; 0 for all of it
	probe     bool   // see subjects.Assigned

	startLogged bool // its Started stands in the log

	// The rest is known to this process only and is lost with it.

	phase      phase
	assignedAt time.Time
	outcome    *Ended    // to be reported; nil until phase ended
	endedAt    time.Time // when outcome was set
	trace      string    // of its job

	// Its process.

	slot         uint32  // of the shim that runs it, from its start on
	running      bool    // the shim has reported that the process began
	exited       bool    // the process is gone and its output is being committed
	processStart int64   // Unix nanoseconds
	startMark    mark    // residual meter at its start
	savedMark    mark    // residual meter when it last wrote to its checkpoint folder; zero for never
	meanResidual float64 // over its run, set when its process is gone

	// Its eviction.

	endReason string  // why it must end, as a code; "" while it may go on
	endText   string  // explains endReason to people
	urgency   Urgency // how long it may take to end
	killSent  bool    // Kill was returned with this urgency
	settled   bool    // the log has an end of it although it runs: its own is not reported

	// The last Pace.

	rate, priority float64 // rate in bytes/s
}

type phase uint8

const (
	waiting phase = iota // until slots are free
	started              // its process is being created, or runs
	ended                // its end is known and must be reported
)

// occupies reports whether the attempt uses slots right now.
func (t *attempt) occupies() bool { return t.phase == started && !t.exited }

// task is the attempt as actions name it.
func (t *attempt) task() Task {
	return Task{Attempt: t.id, Job: t.job, TaskID: t.taskID, Doc: t.docSeq, Try: t.try, Slot: t.slot, Width: t.width, Part: t.part, Probe: t.probe}
}

// overlaps reports whether two attempts were assigned the same place, and do not share it.
func (t *attempt) overlaps(o *attempt) bool {
	return t.firstSlot < o.firstSlot+o.width && o.firstSlot < t.firstSlot+t.width && !t.shares(o)
}

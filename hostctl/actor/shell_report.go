package actor

import "lull/subjects"

// Adopted lists, in ascending order and once a process, the attempts that the shims
// held when the agent started. Nothing is started before it.
type Adopted struct{ Attempts []Held }

// Held is an attempt that the shim of a slot knows: it runs, or its end was not
// acknowledged yet.
type Held struct {
	Attempt uint64
	Slot    uint32
}

// Running reports that an attempt's process runs.
type Running struct {
	Attempt uint64
	At      int64  // Unix nanoseconds
	Trace   string // traceparent of its job, "" if unknown
}

// Saved reports that an attempt wrote to its checkpoint folder after the last report. What it
// did before is not lost if it ends. The shell looks about once a second.
type Saved struct{ Attempt uint64 }

// Exited reports, before Ended, that an attempt's processes are gone. Its slot can run the
// next attempt while the output is written to the disk. The shell may leave it out.
type Exited struct{ Attempt uint64 }

// Outcome of an attempt.
type Outcome uint8

// Outcomes, each an event of the log.
const (
	Finished Outcome = iota
	Failed
	Evicted
	Declined
)

// Ended reports the outcome of an attempt. The Actor sets Run.Residual.
type Ended struct {
	Attempt  uint64
	Outcome  Outcome
	Run      subjects.Run
	Files    uint32          // Finished
	Manifest subjects.Digest // Finished
	Fetch    subjects.Fetch  // Finished
	Reason   string          // the others
	Exit     int32           // Failed
	Text     string          // Finished, of a publishing task; Failed, Declined
	Tail     string          // Failed
	Final    bool            // Failed: see subjects.Failed
	Label    string          // Failed: see subjects.Failed
	Again    bool            // Failed: see subjects.Failed
	// Saved is how many seconds after its start it last wrote to its checkpoint folder; 0
	// if it did not. Evicted
	Saved float64
	Trace string
}

// Disk reports whether the data folder's disk is too full to start anything.
type Disk struct{ Full bool }

// A *subjects.Usage is a report too: the host's own telemetry, which must not
// depend on the bus.

// Guarded reports that the guard stopped the host's tasks to protect the primary, or that they run
// again. Nothing starts while they are stopped.
type Guarded struct {
	Frozen bool
	Why    string // for people
}

// Relieve reports that the primary needs more than living tasks can give back, and
// asks for the end of one. A second report before that end has no effect.
type Relieve struct {
	// Attempt to end, with Reason. 0 ends the next one in the order of eviction, with
	// the reserve as the reason.
	Attempt uint64
	Reason  string
	// Among are the attempts from which the order of eviction chooses. nil: all.
	Among []uint64
	Why   string // explanation for people, "" for none
	// AtOnce allows no grace, because every moment costs the primary.
	AtOnce bool
}

func (r *Relieve) urgency() Urgency {
	if r.AtOnce {
		return AtOnce
	}
	return Patient
}

// Leave asks the host to stop: to end what runs and report it, or, with
// Config.Stay, to leave it running.
type Leave struct{}

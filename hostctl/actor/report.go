package actor

import "lull/subjects"

// Adopted lists, ascending and once a process, the attempts that the shims
// held when the agent started. Nothing is started before it.
type Adopted struct{ Attempts []Held }

// Held is an attempt that the shim of a slot knows: it runs, or its end was not
// acknowledged yet.
type Held struct {
	Attempt uint64
	Slot    uint32
}

// Running says that an attempt's process runs.
type Running struct {
	Attempt uint64
	At      int64  // Unix nanoseconds
	Trace   string // traceparent of its job, "" if unknown
}

// Exited says, before Ended, that an attempt's processes are gone and its slot can run the next
// one, while what it made is brought to the disk. The shell need not say it.
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

// Ended says what became of an attempt. Run.Residual is filled in by the Actor.
type Ended struct {
	Attempt  uint64
	Outcome  Outcome
	Run      subjects.Run
	Files    uint32          // Finished
	Manifest subjects.Digest // Finished
	Reason   string          // the others
	Exit     int32           // Failed
	Text     string          // Failed, Declined
	Tail     string          // Failed
	Trace    string
}

// Disk says whether the data folder's disk is too full to start anything.
type Disk struct{ Full bool }

// A *subjects.Usage is a report too: the host's own telemetry, which must not
// depend on the bus.

// Leave asks the host to stop: to end what runs and say so, or, with
// Config.Stay, to leave it running.
type Leave struct{}

package actor

import (
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// Task is an attempt with the slot of the shim that runs it. It uses Width slots of
// the host. Slot may differ from the log's number, which only the ledger uses: an
// attempt that waited in a place ahead starts in any free slot.
type Task struct {
	Attempt uint64
	Job     string
	subjects.TaskID
	Doc   uint64 // log sequence of the job's document, 0 from an older slotter
	Try   uint32
	Slot  uint32
	Width uint32
	Part  uint32 // of the last of these, in thousandths; 0 for all of it
	Probe bool   // see subjects.Assigned
}

// Cores is what the task takes.
func (t *Task) Cores() spec.Cores { return spec.CoresOf(t.Width, t.Part) }

// Start starts an attempt's process in the shim of its slot, which is free.
type Start struct{ Task }

// Adopt identifies an attempt that a shim holds from an earlier agent. It continues,
// and the shell reports its Running and Ended.
type Adopt struct{ Task }

// Kill ends an attempt with all processes that it started. Unless the attempt ended
// first, its Ended has the outcome Evicted and this reason. A second Kill of an attempt
// asks for more urgency; the first reason stands.
type Kill struct {
	Attempt uint64
	Reason  string
	Urgency Urgency
}

// Urgency is how long a killed attempt may take to end.
type Urgency uint8

// Degrees of urgency, in ascending order.
const (
	Patient Urgency = iota // the grace of the agent's configuration
	Soon                   // so long that it is gone at the next sample: at most SoonGrace
	AtOnce                 // no grace
)

// SoonGrace is the longest grace of an attempt that is to end Soon. Samples come every second,
// and the processes have to be gone by then.
const SoonGrace = 500 * time.Millisecond

// Freeze stops all tasks of the host.
type Freeze struct{}

// Thaw ends Freeze.
type Thaw struct{}

// Forget reports that an attempt's end stands in the log. The outputs of committed
// attempts are kept; of others, only the logs.
type Forget struct {
	Task
	Committed bool
}

// Drop ends an attempt that a shim holds from an earlier agent, but that the log has
// no more. Its outputs may be committed, so they stay.
type Drop struct{ Attempt uint64 }

// SetBeat sets the content of the heartbeats until the next SetBeat.
type SetBeat struct{ Beat subjects.Beat }

// Rejoin opens a new term, because the host was declared lost.
type Rejoin struct{}

// Gone reports that Left stands in the log: the agent may end.
type Gone struct{}

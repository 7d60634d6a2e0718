package actor

import "lull/subjects"

// Task is an attempt with the slot whose shim runs it. It takes Width slots'
// worth of the host, whichever they are: their numbers in the log are the
// ledger's book-keeping, for what waited in a place ahead starts wherever a
// slot is free.
type Task struct {
	Attempt uint64
	Job     string
	subjects.TaskID
	Doc   uint64 // log sequence of the job's document, 0 if an older slotter did not say
	Try   uint32
	Slot  uint32
	Width uint32
}

// Start asks for an attempt's process, in the shim of its slot, which is free.
type Start struct{ Task }

// Adopt says what an attempt is that a shim holds from an earlier agent: it
// goes on, and its Running and Ended are to be reported.
type Adopt struct{ Task }

// Kill asks for an attempt's end, with all that it started. Unless the attempt
// ended first, its Ended says Evicted with this reason.
type Kill struct {
	Attempt uint64
	Reason  string
	AtOnce  bool // without grace
}

// Freeze stops all tasks of the host.
type Freeze struct{}

// Thaw ends Freeze.
type Thaw struct{}

// Forget says that an attempt's end stands in the log. Committed attempts keep
// their outputs, others only their logs.
type Forget struct {
	Task
	Committed bool
}

// Drop ends an attempt that a shim holds from an earlier agent, but that the
// log speaks of no more. Its outputs may be committed: they stay.
type Drop struct{ Attempt uint64 }

// Hold is what heartbeats say until the next one.
type Hold struct{ Beat subjects.Beat }

// Rejoin asks for a new term, because the host was declared lost.
type Rejoin struct{}

// Gone says that Left stands in the log.
type Gone struct{}

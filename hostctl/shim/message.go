package shim

import (
	"time"

	"lull/actors/account"
	"lull/subjects/spec"
)

// Task is an order to run a task. Paths are absolute.
type Task struct {
	Attempt uint64   `msgpack:"attempt"`
	Argv    []string `msgpack:"argv"` // Argv[0] without a slash is looked up in Env's PATH
	Env     []string `msgpack:"env"`  // all there is: nothing is inherited
	Dir     string   `msgpack:"dir"`  // working folder; must exist
	Stdin   Stdin    `msgpack:"stdin"`
	// Stdout and Stderr are files, made when the first byte comes; "" drops the
	// stream. If both are the same path the streams share it, in order.
	Stdout string `msgpack:"stdout,omitempty"`
	Stderr string `msgpack:"stderr,omitempty"`
	// LogBytes bounds each of the two files; 0 means DefaultLogBytes, a negative number no bound.
	LogBytes int64         `msgpack:"log_bytes,omitempty"`
	Timeout  time.Duration `msgpack:"timeout,omitempty"` // of time in which it can run; 0: none
	// Wall bounds the time since its start; 0: none.
	Wall time.Duration `msgpack:"wall,omitempty"`
	// Cores are those that the task may use: what its threads want beyond them does not make it
	// starve. 0: one.
	Cores float64 `msgpack:"cores,omitempty"`
	// Grace is the time between SIGTERM and SIGKILL at a timeout.
	Grace time.Duration `msgpack:"grace,omitempty"`
	// Warn is the signal ahead of the timeout.
	Warn Warn `msgpack:"warn"`
	// StopFile is where the shim writes why the task is to end, before it sends a signal; "" for nowhere.
	StopFile string `msgpack:"stop_file,omitempty"`
	// Bounds are what the task is kept to, beside its cgroups.
	Bounds Bounds `msgpack:"bounds"`
}

// Warn is a signal that a task gets so long before its timeout. The zero value is none.
type Warn struct {
	Before time.Duration `msgpack:"before,omitempty"`
	Signal int           `msgpack:"signal,omitempty"`
}

// Bounds restrict a task, beside its cgroups. The zero value allows writing nowhere.
type Bounds struct {
	// Write are the folders and files that it may write to, where the kernel
	// has Landlock.
	Write []string `msgpack:"write,omitempty"`
	// Hide are folders and files that it may not read, where the kernel has Landlock: absolute, without
	// links. Read are folders below them that it may read all the same, as it may those of Write.
	Hide []string `msgpack:"hide,omitempty"`
	Read []string `msgpack:"read,omitempty"`
	// Unfenced allows it to read and write wherever its user may, and to signal whatever its user may.
	Unfenced bool `msgpack:"unfenced,omitempty"`
	// Privileged allows it to gain rights, by setuid programs for instance. It needs Unfenced too.
	Privileged bool `msgpack:"privileged,omitempty"`
	// User is the one it runs as, if the shim is root; the zero User is the shim's.
	User account.User `msgpack:"user"`
}

// DefaultLogBytes bounds a task's stdout and stderr each.
const DefaultLogBytes = 1_000_000_000

// Stdin is what a task reads: ranges of files cut at line ends, or a whole
// file; /dev/null if both are empty. A File is opened as it is, unchecked. What the task's user
// may not read it is not fed.
type Stdin struct {
	File   string       `msgpack:"file,omitempty"`
	Ranges []spec.Range `msgpack:"ranges,omitempty"`
	// List is a file with the ranges in msgpack, if they are too many for a message. Tasks
	// cannot write to it.
	List string `msgpack:"list,omitempty"`
	// Kept says that the files are the agent's own, in folders that tasks cannot write to, or open in its process.
	// The task gets their bytes even if its user may not open them.
	Kept bool `msgpack:"kept,omitempty"`
}

// Event is what a shim reports: *Started, *Exited or *StartFailed.
type Event interface{ isEvent() }

// Running is an attempt under way.
type Running struct {
	Attempt uint64 `msgpack:"attempt"`
	PID     int    `msgpack:"pid"`
	Start   int64  `msgpack:"start"` // Unix nanoseconds
}

// Started says that a task still runs a few milliseconds after its start. One
// that ends sooner is reported by its end alone, which saves a message.
type Started struct{ Running }

// Exited says that a task has ended, and none of its processes is left.
type Exited struct {
	Attempt uint64 `msgpack:"attempt"`
	PID     int    `msgpack:"pid"`
	// Status is the exit status, or minus the signal that ended the process.
	Status int `msgpack:"status"`
	// Reason is "" for status 0, else a subjects.Reason…: exit, signal,
	// timeout, memory, input, not-found; or ReasonKilled.
	Reason  string  `msgpack:"reason,omitempty"`
	Text    string  `msgpack:"text,omitempty"`  // more for people, if there is more
	Final   bool    `msgpack:"final,omitempty"` // another attempt would fail, too
	Start   int64   `msgpack:"start"`           // Unix nanoseconds
	Seconds float64 `msgpack:"seconds"`         // wall time until the main process ended
	CPU     float64 `msgpack:"cpu"`             // CPU seconds of all processes that were waited for
	MaxRSS  int64   `msgpack:"max_rss"`         // bytes, of the largest process
	In      int64   `msgpack:"in,omitempty"`    // bytes of stdin that it took; of a whole file, its size
	Out     int64   `msgpack:"out,omitempty"`   // bytes of stdout and stderr that were written
}

// ReasonKilled is the reason of an Exited that Client.Kill brought about.
const ReasonKilled = "killed"

// StartFailed says that a task could not be started: nothing ran.
type StartFailed struct {
	Attempt uint64 `msgpack:"attempt"`
	// Reason is subjects.ReasonNotFound (missing or not executable),
	// ReasonInput (missing or not the task's to read), ReasonSlot (another one runs) or ReasonExit (anything else).
	Reason string `msgpack:"reason"`
	Text   string `msgpack:"text"`
	Final  bool   `msgpack:"final,omitempty"` // another attempt would fail, too
}

func (*Started) isEvent()     {}
func (*Exited) isEvent()      {}
func (*StartFailed) isEvent() {}

// Hello is the shim's first message on a connection: what it holds.
type Hello struct {
	PID     int      `msgpack:"pid"`
	Running *Running `msgpack:"running,omitempty"`
	// Ended and Unstarted list what was not acknowledged yet, oldest first.
	Ended     []*Exited      `msgpack:"ended,omitempty"`
	Unstarted []*StartFailed `msgpack:"unstarted,omitempty"`
}

// order is a message from the agent; exactly one field is set.
type order struct {
	Start *Task  `msgpack:"start,omitempty"`
	Kill  *kill  `msgpack:"kill,omitempty"`
	Pause *pause `msgpack:"pause,omitempty"`
	Hold  *hold  `msgpack:"hold,omitempty"`
	Ack   uint64 `msgpack:"ack,omitempty"`
	Quit  bool   `msgpack:"quit,omitempty"`
}

type kill struct {
	Attempt uint64        `msgpack:"attempt"`
	Grace   time.Duration `msgpack:"grace"`
	Why     string        `msgpack:"why,omitempty"` // for the task's StopFile
}

type pause struct {
	Attempt uint64 `msgpack:"attempt"`
	Stop    bool   `msgpack:"stop"`
}

// hold says that the agent freezes or has thawed the slot.
type hold struct {
	Frozen bool  `msgpack:"frozen"`
	At     int64 `msgpack:"at,omitempty"` // Unix nanoseconds; 0 for when it is read
}

// report is a message to the agent; exactly one field is set.
type report struct {
	Hello       *Hello       `msgpack:"hello,omitempty"`
	Started     *Started     `msgpack:"started,omitempty"`
	Exited      *Exited      `msgpack:"exited,omitempty"`
	StartFailed *StartFailed `msgpack:"start_failed,omitempty"`
}

package attempts

import (
	"log/slog"
	"time"

	"lull/hostctl/contain"
	"lull/hostctl/disk"
	"lull/hostctl/inputs"
	"lull/hostctl/pacing"
	"lull/hostctl/slots"
	"lull/hostctl/store"
)

// Pacer moves attempts at rates. pacing.Pacer implements it.
type Pacer interface {
	// Set begins to pace an attempt, or changes its rate.
	Set(t *pacing.Task)
	// End releases an attempt.
	End(attempt uint64)
}

// Caps restores the CPU cap of a slot after its cgroups were made again. slots.Caps implements it.
type Caps interface {
	Again(slot int) error
}

// Disk is the disk of the data folder. disk.Monitor implements it.
type Disk interface {
	// Exhausted looks whether the disk's reserve is touched.
	Exhausted() bool
	// Blame reports whether a task that ended because the disk is full has filled it by itself, and
	// why. The attempt's folder must be there still.
	Blame(t disk.Task, a disk.Attempt) (why string, own bool)
}

// Config is what a Runner works with. All fields without a default are required.
type Config struct {
	// Root is the prefix of /proc.
	Root string
	// Grace is the time between SIGTERM and SIGKILL of tasks whose stage has no grace of its own.
	Grace time.Duration
	// EvictionGrace bounds that time where the task is not ended for its user. 0 means no bound, negative
	// that such a task is killed at once.
	EvictionGrace time.Duration
	// OneJob says that the agent serves one job and ends with it: tasks that end for that are told of a cancel.
	OneJob bool
	// LogBytes bounds stdout and stderr of a task, each; 0 for the shim's default.
	LogBytes int64
	// TaskPath is the PATH of tasks, "" for environ.DefaultPath.
	TaskPath string
	// Stdin returns a path from which the shim opens an attempt's standard input, for stages that name
	// one. Nil if this process has none.
	Stdin func(name string, attempt uint64) (path string, err error)
	// Publisher is the command that publishes results.
	Publisher []string
	// Policy is how tasks are contained beside their cgroups.
	Policy contain.Policy
	Store  *store.Store
	Inputs *inputs.Gatherer
	Pacer  Pacer
	Caps   Caps
	// Slot returns a slot of the host, nil if it has none of this number.
	Slot func(n int) *slots.Slot
	// Began is called when an attempt's process runs, before it is reported.
	Began func()
	Disk  Disk
	// Report passes an actor.Running, Exited or Ended to the host's actor. It must neither block
	// nor call the Runner.
	Report func(any)
	Logger *slog.Logger
}

package guard

import "time"

// DefaultBudget is how long the primary's threads may wait for a CPU while batch
// work has one, in seconds per CPU second that they use. Of a server at 30, 60 and
// 85 % load of two cores, beside eight processes that compute in the idle class,
// they waited 0.7–1.0, 0.4–0.7 and 0.1–0.3 s; once those that queued behind each
// other were moved 0.3, 0.1–0.2 and 0.02–0.07 s, and its tail was what it is alone
// (Linux 6.18). So it is what spreading keeps, and the idle class by itself does not.
const DefaultBudget = 0.4

// Config says what the guard holds and with what.
type Config struct {
	// Cores of the host.
	Cores int
	// Fewer says that batch work can be kept to fewer cores than all.
	Fewer bool
	// Cap says that the CPU of batch work can be capped.
	Cap bool
	// Budget is the seconds that the primary may wait because of batch work, per
	// CPU second of its own. 0: CPU is left to the kernel's idle class alone.
	Budget float64
	// Reserve is the available memory in bytes below which tasks are evicted; the
	// guard takes page cache back earlier. 0: memory is not guarded.
	Reserve int64
	// Disk says that disk rates can be bounded.
	Disk bool
}

// Times and bounds that hold everywhere.
const (
	// settle is how long a change must have been in force before it is judged.
	settle = 100 * time.Millisecond
	// calmest and calmMost bound how long there must be no complaint before batch
	// work gets one step back.
	calmLeast = time.Second
	calmMost  = time.Minute
	// proof is how long a step given back must stand, or giving it was wrong.
	proof = 30 * time.Second
	// sustained is how long the mildest means must have been in vain before tasks
	// are frozen: freezing costs the harvest and comes too late for a tail.
	sustained = 5 * time.Second
	// frozenMost is how long tasks stand still in one piece of trouble before they
	// are evicted: they wait in vain here, others have room.
	frozenMost = 30 * time.Second
	// evictEvery is the pause between two evictions, in which the first can tell.
	evictEvery = time.Second
	// gap is a pause between samples that says nothing of the time in between.
	gap = 5 * time.Second
)

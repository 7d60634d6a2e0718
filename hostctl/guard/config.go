package guard

import "time"

// DefaultBudget is how long the primary's threads may wait for a CPU while batch work has one, in
// seconds per CPU second that they use. Measured on two cores with Linux 6.18, beside eight
// processes that compute in the idle class. The threads of a server at 30, 60 and 85 % load waited
// 0.7–1.0, 0.4–0.7 and 0.1–0.3 s. With package spread, which moves threads that queue behind
// each other, they waited 0.3, 0.1–0.2 and 0.02–0.07 s, and the tail latency was that of the
// server alone. So spreading keeps this budget, and the idle class alone does not.
const DefaultBudget = 0.4

// Config describes what the guard protects and the means that the host has.
type Config struct {
	// Cores of the host.
	Cores int
	// Fewer reports that batch work can be restricted to some of the cores.
	Fewer bool
	// Cap reports that the CPU of batch work can be capped.
	Cap bool
	// Budget is the seconds that the primary may wait because of batch work, per
	// CPU second of its own. 0: CPU is left to the kernel's idle class alone.
	Budget float64
	// Reserve is the available memory in bytes below which tasks are evicted. The
	// guard reclaims page cache earlier. 0: memory is not guarded.
	Reserve int64
	// Disk reports that disk rates can be bounded.
	Disk bool
}

// Times and bounds of all parts of the guard.
const (
	// settle is how long a change must have been in force before it is judged.
	settle = 100 * time.Millisecond
	// calmLeast and calmMost bound the time without a complaint after which batch
	// work gets one step back.
	calmLeast = time.Second
	calmMost  = time.Minute
	// provenAfter is how long a step that was given back must last. A complaint before then
	// shows that it was given back too early.
	provenAfter = 30 * time.Second
	// sustained is how long the milder means must have failed before tasks are frozen.
	// Freezing costs harvest, and comes too late for the primary's tail latency.
	sustained = 5 * time.Second
	// frozenMost is how long tasks may be frozen in one period of contention before
	// those are evicted for which another host has room: see Orders.Evict.
	frozenMost = 30 * time.Second
	// evictEvery is the pause between two evictions, in which the first can take effect.
	evictEvery = time.Second
	// maxGap is the longest time between two samples of which the difference is used.
	maxGap = 5 * time.Second
)

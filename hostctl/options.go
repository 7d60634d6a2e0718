package hostctl

import (
	"time"

	"lull/hostctl/spreading"
)

// DefaultEvictionGrace is the longest grace of tasks that are evicted.
const DefaultEvictionGrace = 30 * time.Second

// Options are what the owner of a host chooses, by the flags of `lull agent` and `lull up`.
// The zero value leaves everything to what the host is capable of.
type Options struct {
	// Slots is how many one-core tasks run at once. Defaults to one a core,
	// less ReserveCPU.
	Slots uint32
	// ReserveCPU is the number of cores kept idle beside what the primary
	// uses. 0 means none where the kernel's idle class protects the primary,
	// else a third of the cores; negative means none anywhere.
	ReserveCPU int
	// ReserveMemory is the available memory, in bytes, below which tasks are
	// evicted. 0 means a tenth of the RAM, negative none.
	ReserveMemory int64
	// Labels are key=value pairs that stages may ask for.
	Labels []string
	// Tenant names the owner of the host's primary, a subject token. Defaults to "": unknown.
	Tenant string

	// GuardBudget is how many seconds the primary may wait for a CPU because of
	// batch work, per CPU second of its own. 0 means guard.DefaultBudget,
	// negative that the guard leaves CPU alone.
	GuardBudget float64
	// StarveAfter and StarveRun keep batch work from starving (MIMP's p and e). If it had less CPU
	// than StarveRun in StarveAfter and wants more, it gets StarveRun at ordinary weight. 0 means
	// 10 s and 100 ms, negative never.
	StarveAfter, StarveRun time.Duration
	// Evict is which tasks make way for the primary first: "youngest", the default, or
	// "least-work", those that had the least CPU time.
	Evict string
	// EvictionGrace bounds the time between SIGTERM and SIGKILL of a task that the host evicts, whatever
	// its stage asks for. 0 means DefaultEvictionGrace, negative that it is killed at once.
	EvictionGrace time.Duration
	// Spread is whether threads of the primary that wait behind each other are moved to
	// where batch work runs. Defaults to spreading.Auto.
	Spread spreading.Mode

	// Contain is how tasks are contained: "full", the default, "basic" or
	// "off"; see package contain.
	Contain string
	// TaskUser is the user that tasks run as if the agent is root: a name, a uid, or uid:gid.
	// Defaults to nobody (65534), or root where nobody cannot enter Data.
	TaskUser string
	// SlotUIDBase gives each task that may run at once a user of its own: those of
	// slot n run as this uid plus n, those that share a slot as uids above (see slots.Set.Most). For
	// agents that are root. 0 means uids from 2,100,000,000 on, or TaskUser for all if it is set.
	SlotUIDBase uint32
	// FileSize is how large a file a task may write, in bytes. 0 means what the disk of
	// Data holds less MinFree, negative no bound.
	FileSize int64
	// LogBytes bounds what is kept of a task's stdout and of its stderr, in bytes. 0 means
	// shim.DefaultLogBytes, negative no bound.
	LogBytes int64
	// TaskWrite are folders and files that tasks may write to, beside their own.
	TaskWrite []string
	// TaskPath is the PATH of tasks, unless their stage sets one: absolute folders, with
	// colons between them. Defaults to environ.DefaultPath.
	TaskPath string

	// Listen is the address where outputs and logs are served. Defaults to a free port of
	// 127.0.0.1, which serves this machine alone, or by the flags to the port of Advertise.
	Listen string
	// Advertise is the URL under which other hosts reach Listen; the flag also takes
	// host:port. Defaults to Listen's own address.
	Advertise string
	// TaskTransfers bounds the transfers under way at once that fetch a task's input from other
	// hosts, Transfers those of all tasks of the host. 0 means turns.TaskTransfers and turns.HostTransfers.
	TaskTransfers, Transfers int
	// Probe has the agent measure how fast other hosts send to it, and send to those that
	// measure, when a client asks for it.
	Probe bool
	// Stay leaves tasks running when the agent stops, for the next one to
	// adopt. Otherwise they are evicted, and nothing of lull stays behind.
	Stay bool
}

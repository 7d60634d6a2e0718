package guarding

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/hostctl/trees"
	"lull/subjects"
)

// Config is what a guardian works with. All functions are required, and one goroutine, the
// one that runs Run, calls them.
type Config struct {
	Guard  guard.Config
	Ration guard.Ration // the CPU time of batch work that starves
	Host   string       // for metrics
	Root   string       // prefix of /proc and /sys
	Cores  int          // that batch work may use when nothing is held back

	Caps   cgroup.Capabilities
	Gauges *cgroup.Gauges // of batch work; Run closes them
	Trees  *trees.Counter // CPU time of batch work; nil where Caps.CPUTime accounts for it
	Bounds Bounds
	// Settings puts back what other programs wrote to the cgroups; Run closes it.
	Settings Settings
	// Alone reports whether no other agent shares the class of batch work.
	Alone  func() bool
	Sensor guard.Sensor // of the primary's waits; nil if there is none

	// Usage is the newest telemetry, nil if there is none yet.
	Usage func() *subjects.Usage
	// Tasks is how many tasks run.
	Tasks func() int
	// Freeze asks for all tasks to be stopped, or continued.
	Freeze func(on bool) error
	// Yield caps all slots next to nothing, or lifts that cap.
	Yield func(on bool) error
	// Report passes actor.Guarded and actor.Relieve to the host's actor.
	Report func(any)
	// Watch is called at each turn with the tasks that run, the primary's CPU seconds, whether they
	// are known, and whether batch work yields.
	Watch func(now time.Time, tasks int, ran float64, known, yields bool)

	// Record is the file in which `lull doctor` finds what other programs wrote to the cgroups, "" for none.
	Record string

	Logger     *slog.Logger
	Registerer prometheus.Registerer // nil for none
}

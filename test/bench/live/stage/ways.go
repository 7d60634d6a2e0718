package stage

// The ways to run batch work beside the primary.
const (
	Alone     = "alone"     // none of it
	Unmanaged = "unmanaged" // in a session of its own, as anything that is just started
	Niced     = "nice"      // nice 19 in the primary's own session
	Weighted  = "weight"    // a cgroup of the smallest weight, as container platforms set
	Idled     = "idle"      // a cgroup of the idle class
	Lulled    = "lull"      // tasks of a job, under an agent and its guard

	// To find out what helps the idle class, not measured unless named.
	Thin   = "thin"   // the idle class, with one process a core
	OnCore = "core"   // the idle class, on the last core only
	Spread = "spread" // the idle class, while a helper moves the primary's waiting threads to other cores
)

// Ways returns the ways that are compared.
func Ways() []string { return []string{Alone, Unmanaged, Niced, Weighted, Idled, Lulled} }

// AllWays returns the ways that the command line may name.
func AllWays() []string { return append(Ways(), Thin, OnCore, Spread) }

// Copies is how many processes of a kind of batch work run: of pi enough to keep every core's queue
// long, of the others one a core.
var Copies = map[string]int{"pi": 8, "memory": 2, "words": 2, "fork": 2}

// Batch is batch work that runs.
type Batch interface {
	CPU() (seconds float64, err error) // used so far, by all of it
	Stop() error                       // and wait until it is gone
}

// nothing runs beside a primary alone.
type nothing struct{}

func (nothing) CPU() (float64, error) { return 0, nil }
func (nothing) Stop() error           { return nil }

package main

// The ways to run batch work beside the primary.
const (
	alone     = "alone"     // none of it
	unmanaged = "unmanaged" // in a session of its own, as anything that is just started
	niced     = "nice"      // nice 19 in the primary's own session
	weighted  = "weight"    // a cgroup of the smallest weight, as container platforms set
	idled     = "idle"      // a cgroup of the idle class
	lulled    = "lull"      // tasks of a job, under an agent and its guard

	// To find out what helps the idle class, not measured unless named.
	thin   = "thin"   // the idle class, with one process a core
	onCore = "core"   // the idle class, on the last core only
	spread = "spread" // the idle class, while a helper moves the primary\'s waiting threads to other cores
)

func wayNames() list { return list{alone, unmanaged, niced, weighted, idled, lulled} }

func allWays() list { return append(wayNames(), thin, onCore, spread) }

// copies is how many processes of a kind of batch work run: pi in a number
// that keeps every core's queue long, the others one a core.
var copies = map[string]int{"pi": 8, "memory": 2, "words": 2, "fork": 2}

// beside is batch work that runs.
type beside interface {
	cpu() (seconds float64, err error) // used so far, by all of it
	stop() error                       // and wait until it is gone
}

// nothing runs beside a primary alone.
type nothing struct{}

func (nothing) cpu() (float64, error) { return 0, nil }
func (nothing) stop() error           { return nil }

package predict

import (
	"fmt"

	"lull/placer/topology"
)

// Host is what a host offers.
type Host struct {
	Slots int     // free slots
	Busy  int     // slots that other batch tasks hold; they share the idle cores
	Idle  float64 // cores that the primary leaves
}

// Snapshot is what is known of the pool when a job is to be placed: what links have left, and what
// hosts offer. The slotter's order among equal hosts is that of Hosts.
type Snapshot struct {
	Tree  *topology.Tree
	Hosts []Host // by index in Tree.Hosts
}

// check returns what is wrong with the snapshot.
func (s *Snapshot) check() error {
	if err := s.Tree.Check(); err != nil {
		return err
	}
	if len(s.Hosts) != len(s.Tree.Hosts) {
		return fmt.Errorf("the snapshot offers %d hosts, its topology has %d", len(s.Hosts), len(s.Tree.Hosts))
	}
	return nil
}

// Objective is what a placement is chosen by.
type Objective uint8

// Values of Objective.
const (
	Fast  Objective = iota // the job's end
	Cheap                  // harvested CPU seconds, then its end
)

// Result is a prediction.
type Result struct {
	Seconds   float64 // until the last task has ended; +Inf if no slot can take one
	Harvested float64 // CPU seconds that its tasks have: of each, its time times its residual
	Fetching  float64 // slot-seconds of tasks that fetch
	Held      float64 // slot-seconds in all
}

// Moving is the share of its slots' time for which the job moves data.
func (r Result) Moving() float64 {
	if r.Held <= 0 {
		return 0
	}
	return r.Fetching / r.Held
}

// Better reports whether a result is better than another by the objective.
func (o Objective) Better(a, b Result) bool {
	if o == Cheap && a.Harvested != b.Harvested {
		return a.Harvested < b.Harvested
	}
	return a.Seconds < b.Seconds
}

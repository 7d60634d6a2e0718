// Package chaos kills lull's processes at random points while a word count
// runs, and checks at the end that nothing was lost, doubled or left behind.
package chaos

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// fault kills one process and starts it again after a while.
type fault struct {
	after  time.Duration // since the last fault was over
	victim string
	down   time.Duration
}

// script is the run that a seed gives.
type script struct {
	seed   uint64
	layout []string // the processes, in starting order
	midway bool     // the faults begin when the first task runs, not before
	faults []fault
}

// The two ways to run lull: all in one process, or each service alone, with
// standbys for those that elect a leader.
var layouts = [][]string{
	{"up"},
	{"server", "admission-a", "admission-b", "slotter-a", "slotter-b", "classifier-a", "classifier-b", "placer-a", "placer-b", "agent"},
}

// faultsPerRun is small, so that twenty runs fit into a test.
const faultsPerRun = 4

// newScript derives a script from its seed alone.
func newScript(seed uint64) script {
	rng := rand.New(rand.NewPCG(seed, 0x6c756c6c))
	s := script{seed: seed, layout: layouts[rng.IntN(len(layouts))], midway: rng.IntN(3) > 0}
	for range faultsPerRun {
		s.faults = append(s.faults, fault{
			after:  time.Duration(50+rng.IntN(700)) * time.Millisecond,
			victim: s.layout[rng.IntN(len(s.layout))],
			down:   time.Duration(rng.IntN(400)) * time.Millisecond,
		})
	}
	return s
}

// String returns the script in a form that a reader can follow.
func (s script) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "seed %d: %s", s.seed, strings.Join(s.layout, " "))
	if s.midway {
		b.WriteString("\n  wait until a task runs")
	}
	for _, f := range s.faults {
		fmt.Fprintf(&b, "\n  after %v: kill -9 %s, down for %v", f.after, f.victim, f.down)
	}
	return b.String()
}

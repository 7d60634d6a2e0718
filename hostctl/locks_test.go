package hostctl

import (
	"sync"
	"testing"

	"lull/hostctl/actor"
	"lull/hostctl/slots"
)

// A new term repeats what became of an attempt while the guard counts those that run: the two
// take the locks of the agent and of the run, in the order that the package comment says.
func TestRepeatAndRunningDoNotWaitForEachOther(t *testing.T) {
	a := &Agent{}
	r := &run{slot: &slots.Slot{}}
	r.mu.running = &actor.Running{}
	a.mu.runs = map[uint64]*run{1: r}
	var both sync.WaitGroup
	for _, work := range []func(){func() { a.repeat(r) }, func() { a.running(nil) }} {
		both.Go(func() {
			for range 100_000 {
				work()
			}
		})
	}
	both.Wait()
}

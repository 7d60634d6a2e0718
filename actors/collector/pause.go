// Package collector pauses the garbage collector while a snapshot becomes an actor's state. Hardly
// any of what a restore allocates is garbage, and the collector would search all of it each time that
// the heap has doubled.
package collector

import (
	"runtime/debug"
	"sync"
)

// off is the value of GOGC that stops the collector until the memory limit is near.
const off = -1

var paused struct {
	sync.Mutex
	by     int // pauses that have not ended
	before int // GOGC before the first of them
}

// Pause stops the collector until the last pause has ended. The memory limit (debug.SetMemoryLimit)
// holds meanwhile: near it, the collector runs. It is safe for concurrent use.
func Pause() (end func()) {
	paused.Lock()
	defer paused.Unlock()
	if paused.by++; paused.by == 1 {
		paused.before = debug.SetGCPercent(off)
	}
	return sync.OnceFunc(resume)
}

// resume ends a pause. A value that was set meanwhile stands, because it was chosen for the heap as it is now.
func resume() {
	paused.Lock()
	defer paused.Unlock()
	if paused.by--; paused.by > 0 {
		return
	}
	if now := debug.SetGCPercent(paused.before); now != off {
		debug.SetGCPercent(now)
	}
}

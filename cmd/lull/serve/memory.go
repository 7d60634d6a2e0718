package serve

import (
	"os"
	"runtime/debug"
)

// small keeps a process that mostly waits small: the heap of an agent at rest
// is a few megabytes, and the default of letting it double would hand the rest
// to garbage. The limit is soft: a busy agent may go over it.
func small() { collect(50, 64<<20) }

// Roomy is for a process that holds everything: its heap is small beside what
// it churns, and collecting it at every doubling cost 7 % of a no-op task
// (go run ./test/bench tasks). Near the limit it is collected as often as need
// be, which keeps a job of 100,000 tasks within 150 MB.
func Roomy() { collect(400, 96<<20) }

// collect sets the garbage collector, unless the user did by GOGC or GOMEMLIMIT.
func collect(percent int, limit int64) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

package serve

import (
	"os"
	"runtime/debug"
)

// small keeps a process that mostly waits small: the heap of an agent at rest
// is a few megabytes, and the default of letting it double would hand the rest
// to garbage. The limit is soft: a busy agent may go over it. GOGC and
// GOMEMLIMIT, when the user set them, win.
func small() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(64 << 20)
	}
}

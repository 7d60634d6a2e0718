package main

import (
	"math"
	"os"
	"sync/atomic"
	"time"
)

// fill keeps a slot's CPU in use until a file exists, like the tasks of a busy pool that run before
// and after the measured ones.
func fill(args []string) error {
	const look = 20 * time.Millisecond
	for last := time.Now(); ; {
		used.Store(math.Float64bits(estimatePi(1000)))
		if now := time.Now(); now.Sub(last) >= look {
			if last = now; exists(args[0]) {
				return nil
			}
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// used keeps the compiler from leaving the work out.
var used atomic.Uint64

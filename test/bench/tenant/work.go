package main

import (
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// request is the CPU time of a request's own work; HTTP adds about a tenth.
const request = 900 * time.Microsecond

// work does so many rounds of hashing: the same instructions each time, so that its CPU time shows
// when the hardware beneath is shared.
func work(rounds int) {
	x := uint64(88172645463325252)
	for range rounds {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
}

// sink keeps the compiler from leaving the work out.
var sink atomic.Uint64

// calibrate finds how many rounds take so much CPU time: by the fastest of
// many trials, since a disturbed one only takes longer.
func calibrate(want time.Duration) int {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const trials, rounds = 200, 200_000
	took := make([]time.Duration, trials)
	for i := range took {
		start := clock(unix.CLOCK_THREAD_CPUTIME_ID)
		work(rounds)
		took[i] = clock(unix.CLOCK_THREAD_CPUTIME_ID) - start
	}
	return int(float64(rounds) * float64(want) / float64(max(slices.Min(took), 1)))
}

func clock(id int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(id, &t) // both clocks exist on every Linux
	return time.Duration(t.Nano())
}

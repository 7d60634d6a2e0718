package main

import (
	"math"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// share is the load asked for, as the bits of a float64.
type share struct{ bits atomic.Uint64 }

func (s *share) set(x float64) { s.bits.Store(math.Float64bits(x)) }
func (s *share) get() float64  { return math.Float64frombits(s.bits.Load()) }

// serve loads one core for ever. Work is measured in CPU time of the thread, not in wall time: a
// request that is interrupted takes longer, it does not become less work.
func serve(core int, asked *share, rng *rand.Rand) error {
	runtime.LockOSThread()
	var only unix.CPUSet
	only.Set(core)
	if err := unix.SchedSetaffinity(0, &only); err != nil {
		return err
	}
	w, debt := wave{rng: rng}, time.Duration(0)
	next := clock(unix.CLOCK_MONOTONIC)
	for {
		debt += time.Duration(w.load(asked.get()) * float64(period))
		debt -= burn(debt)
		if next += period; next < clock(unix.CLOCK_MONOTONIC)-10*period {
			// It was kept from the CPU for long: the requests of that time
			// gave up. Were they owed, a peak would follow each pause.
			next, debt = clock(unix.CLOCK_MONOTONIC), 0
		}
		at := unix.NsecToTimespec(int64(next))
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) // interrupted: a little early
	}
}

// burn uses so much CPU time of this thread, and returns how much it was.
func burn(wanted time.Duration) (used time.Duration) {
	start := clock(unix.CLOCK_THREAD_CPUTIME_ID)
	for used < wanted {
		page()
		used = clock(unix.CLOCK_THREAD_CPUTIME_ID) - start
	}
	return used
}

// page is some twenty microseconds of hashing, as of a page made for a request.
func page() (x uint64) {
	x = 88172645463325252
	for range 10_000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
	return x
}

// sink keeps the compiler from leaving the work out.
var sink atomic.Uint64

func clock(id int32) time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(id, &t) // both clocks exist on every Linux
	return time.Duration(t.Nano())
}

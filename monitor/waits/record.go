package waits

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// Each CPU has a record, in an array that programs and this process share.
// Times are nanoseconds of the monotonic clock. Only its own CPU writes to it,
// but for blocked, which the holder of the lock of the CPU's run queue writes.
const (
	atSince    = 8 * iota // when the present stint began
	atKind                // its kind
	atListener            // the thread that listens to the bell, 0 if none does
	atRan                 // how long the primary ran before it
	atRunnable            // how long the primary waited in waits that ended here
	atBlocked             // how long it slept in sleeps that ended here
	atDelayed             // how much of its waiting was while batch work ran
	_
	atPlaces                         // threads of the primary that are queued here, see enqueue
	atDelays   = atPlaces + 8*places // histogram of the waits beside batch work
	recordSize = atDelays + 8*buckets
)

// Kinds of stints.
const (
	other   = iota // the CPU is idle, or the kernel's own
	primary        // a thread of the primary
	batch          // a thread of batch work
)

// Each thread of the primary has an entry, while it waits and afterwards.
const (
	atWaitStart = 8 * iota // when it began to wait, or fell asleep
	atMeter                // for how long batch work had run anywhere until then
	atCPU                  // the CPU that it waits for, or one of those below
	entrySize   = 8 * iota
)

// What stands in place of a CPU.
const (
	asleep     = -1 // it sleeps and takes no signal
	notWaiting = -2 // it does not wait
)

// One record is the whole machine's, in an array of its own: the meter of the
// time in which batch work ran on some CPU.
const (
	atCount     = 8 * iota // how many CPUs run batch work
	atFirst                // since when some do
	atMetered              // for how long some did before
	machineSize = 8 * iota
)

// sumRecords adds up the records of all CPUs as of now, nanoseconds of the clock.
func sumRecords(records []byte, now uint64) (r Reading) {
	for ; len(records) >= recordSize; records = records[recordSize:] {
		field := func(at int) float64 { return seconds(binary.NativeEndian.Uint64(records[at:])) }
		r.Ran += field(atRan)
		r.Runnable += field(atRunnable)
		r.Blocked += field(atBlocked)
		r.Delayed += field(atDelayed)
		since := binary.NativeEndian.Uint64(records[atSince:])
		if binary.NativeEndian.Uint64(records[atKind:]) == primary && since < now {
			r.Ran += seconds(now - since)
		}
	}
	return r
}

// delays adds up the histograms of all CPUs.
func delays(records []byte) (h Histogram) {
	for ; len(records) >= recordSize; records = records[recordSize:] {
		for i := range h {
			h[i] += binary.NativeEndian.Uint64(records[atDelays+8*i:])
		}
	}
	return h
}

func seconds(nanoseconds uint64) float64 { return float64(nanoseconds) / float64(time.Second) }

// origin is a moment by the clock of BPF programs.
var origin, originTime = func() (uint64, time.Time) {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // every kernel has it
	return uint64(now.Nano()), time.Now()
}()

// clock returns the time of BPF programs. It takes no system call.
func clock() uint64 { return origin + uint64(time.Since(originTime)) }

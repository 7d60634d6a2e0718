package waits

import (
	"encoding/binary"
	"time"

	"golang.org/x/sys/unix"
)

// Each CPU has a record, in an array that programs and this process share.
// Times are nanoseconds of the monotonic clock. Only its own CPU writes to it,
// but for blocked, which belongs to who holds the lock of the CPU's run queue.
const (
	atSince    = 8 * iota // when the present stint began
	atKind                // whose it is
	atBatch               // what batch work ran before it
	atRan                 // what the primary ran before it
	atRunnable            // what the primary waited in waits that ended here
	atBlocked             // what it slept in sleeps that ended here
	atDelayed             // what of its waiting was for batch work
	_
	atPlaces                         // threads of the primary that are queued here, see queue
	atDelays   = atPlaces + 8*places // histogram of the waits for batch work
	recordSize = atDelays + 8*buckets
)

// Kinds of stints.
const (
	nobody  = iota // the CPU is idle, or the kernel's own
	primary        // a thread of the primary
	batch          // a thread of batch work
)

// Each thread of the primary has an entry, while it waits and afterwards.
const (
	atFrom    = 8 * iota // when it began to wait, or fell asleep
	atMeter              // what batch work had run on that CPU until then
	atWhere              // the CPU that it waits for, or one of those below
	entrySize = 8 * iota
)

// What stands in place of a CPU.
const (
	asleep  = -1 // it sleeps and hears no signal
	settled = -2 // it does not wait
)

// sum adds up the records of all CPUs as of now, nanoseconds of the clock.
func sum(records []byte, now uint64) (r Reading) {
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

// clock is the time that programs are told.
func clock() (uint64, error) {
	var now unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now)
	return uint64(now.Nano()), err
}

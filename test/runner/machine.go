package main

import (
	"fmt"
	"syscall"
	"time"

	"lull/test/steal"
)

const (
	// spare is the share of the machine's CPU that is idle when it has some to spare, while the runner runs nothing.
	spare = 0.2
	// others is the share that others may take while a test runs alone, for its failure to be lull's.
	others = 0.25
	look   = 5 * time.Second
	// patience bounds the waits for a machine with CPU to spare.
	patience = 5 * time.Minute
)

// A reading holds the CPU times of the machine and of the processes that the runner started and that ended.
type reading struct {
	ticks steal.Ticks
	own   time.Duration
}

func read() (reading, error) {
	ticks, err := steal.Read()
	if err != nil {
		return reading{}, err
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage); err != nil {
		return reading{}, fmt.Errorf("getrusage: %w", err)
	}
	return reading{ticks, time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}, nil
}

// hertz is the unit of /proc/stat, in ticks a second.
const hertz = 100

// idleSince returns the share of the machine's CPU that was idle since a reading before.
func (r reading) idleSince(before reading) float64 { return r.ticks.IdleSince(before.ticks) }

// othersSince returns the share of the machine's CPU that others took since a reading before: the hypervisor, too.
func (r reading) othersSince(before reading) float64 {
	all := float64(r.ticks.All - before.ticks.All)
	if all <= 0 {
		return 0
	}
	own := (r.own - before.own).Seconds() * hertz / all
	return max(0, 1-r.idleSince(before)-own)
}

// A machine is what the runner asks about the CPU.
type machine struct {
	calm func() (spared bool, idle float64, err error)
	read func() (reading, error)
}

// here is this machine.
var here = machine{calm: calm, read: read}

// calm waits until the machine has CPU to spare, and reports whether it had before patience ended; if not, with the share that
// was idle. Nothing that the runner started may run.
func calm() (spared bool, idle float64, err error) {
	first, err := read()
	if err != nil {
		return false, 0, err
	}
	last := first
	for end := time.Now().Add(patience); ; {
		time.Sleep(look)
		now, err := read()
		if err != nil {
			return false, 0, err
		}
		if now.idleSince(last) >= spare {
			return true, 0, nil
		}
		if last = now; time.Now().After(end) {
			return false, now.idleSince(first), nil
		}
	}
}

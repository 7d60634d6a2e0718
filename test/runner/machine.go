package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"lull/test/steal"
)

const (
	// spare is the share of the machine's CPU that others leave when it has some to spare.
	spare = 0.2
	// others is the share that others may take while a test runs alone, for its failure to be lull's.
	others = 0.25
	look   = 5 * time.Second
	// patience bounds the waits for a machine with CPU to spare.
	patience = 5 * time.Minute
)

// A machine is what the runner asks about the CPU.
type machine struct {
	calm func() (spared bool, left float64, err error)
	read func() (reading, error)
}

// here is this machine.
var here = machine{calm: calm, read: read}

// mark is an environment variable that the processes have which the runner starts, and those that they start.
const mark = "LULL_TEST_RUNNER"

func marked() string { return fmt.Sprintf("%s=%d", mark, os.Getpid()) }

// A reading holds the CPU times of the machine, and of each process on it that is none of the tests.
type reading struct {
	ticks  steal.Ticks
	others map[process]uint64
}

// A process has its start beside its id, which comes again.
type process struct {
	id      int
	started uint64
}

// othersSince returns the share of the machine's CPU that others took since a reading before: the hypervisor, too. What a process
// that has ended took is not counted.
func (r reading) othersSince(before reading) float64 {
	all := r.ticks.All - before.ticks.All
	if r.ticks.All <= before.ticks.All {
		return 0
	}
	var taken uint64
	for p, ticks := range r.others {
		taken += ticks - min(before.others[p], ticks)
	}
	return min(1, r.ticks.Since(before.ticks)+float64(taken)/float64(all))
}

func read() (reading, error) {
	ticks, err := steal.Read()
	if err != nil {
		return reading{}, err
	}
	found, err := strangers(os.Getpid(), marked())
	return reading{ticks, found}, err
}

// strangers returns the CPU times, in ticks, of the processes that the tests of a runner did not start. A process of theirs has the mark,
// or descends from one that has, or is in a cgroup of lull: a task has an environment of its own, and may outlive what started it.
// So a test that leaves tasks behind is not excused by the CPU that they take.
func strangers(runner int, mark string) (map[process]uint64, error) {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil, err
	}
	stats, ours := map[int]procfs.ProcStat{}, map[int]bool{runner: true}
	for _, p := range all {
		if stat, err := p.Stat(); err == nil { // else it has ended
			stats[p.PID] = stat
			ours[p.PID] = ours[p.PID] || ofTests(p, mark)
		}
	}
	found := map[process]uint64{}
	for id, stat := range stats {
		ancestor := id
		for ancestor > 1 && !ours[ancestor] {
			ancestor = stats[ancestor].PPID
		}
		if !ours[ancestor] {
			found[process{id, stat.Starttime}] = uint64(stat.UTime) + uint64(stat.STime)
		}
	}
	return found, nil
}

// ofTests reports whether a process has the mark, or is in a cgroup of lull. What can't be read is another user's.
func ofTests(p procfs.Proc, mark string) bool {
	environment, _ := p.Environ()
	groups, _ := p.Cgroups()
	return slices.Contains(environment, mark) ||
		slices.ContainsFunc(groups, func(g procfs.Cgroup) bool { return strings.HasPrefix(g.Path, "/lull") })
}

// calm waits until others leave CPU to spare, and reports whether they did before patience ended; if not, with the share that they
// left.
func calm() (spared bool, left float64, err error) {
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
		if 1-now.othersSince(last) >= spare {
			return true, 0, nil
		}
		if last = now; time.Now().After(end) {
			return false, 1 - now.othersSince(first), nil
		}
	}
}

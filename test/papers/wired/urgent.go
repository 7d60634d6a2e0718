package wired

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// urgent runs a command before all else on the machine: what others do there is not measured.
var urgent = []string{"chrt", "--rr", "1"}

// look is how often tasks are looked for: they begin in the background class.
const look = 10 * time.Millisecond

// raisePriorities gives real-time priority to the tasks of all agents until ctx ends: to all processes of a
// program in the fleet's folder. It never unlocks its thread, which ends with its goroutine.
func (f *fleet) raisePriorities(ctx context.Context) {
	runtime.LockOSThread()
	_ = raise(0) // else it looks later
	known := map[int]bool{}
	tick := time.NewTicker(look)
	defer tick.Stop()
	for ctx.Err() == nil {
		for _, pid := range processes() {
			ours, seen := known[pid]
			if !seen {
				ours = strings.HasPrefix(programOf(pid), f.dir)
				known[pid] = ours
			}
			if ours { // again and again: threads of shims that feed tasks take the background class when they begin
				raiseAll(pid)
			}
		}
		<-tick.C
	}
}

// processes are the ids of all, rising as the kernel lists them.
func processes() (all []int) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close() //nolint:errcheck // it was only read
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all
}

// programOf is the path of a process's program, "" if it is gone.
func programOf(pid int) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	return path
}

// raiseAll gives the priority of urgent to the threads of a process, which may end meanwhile.
func raiseAll(pid int) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	for _, path := range threads {
		if tid, err := strconv.Atoi(filepath.Base(path)); err == nil {
			_ = raise(tid)
		}
	}
}

// raise gives it to one thread, 0 for the calling one.
func raise(tid int) error {
	return unix.SchedSetAttr(tid, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_RR, Priority: 1}, 0)
}

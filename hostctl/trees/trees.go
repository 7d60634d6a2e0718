// Package trees counts the CPU time of batch work where no cgroup accounts for it: that of the
// shims and of all processes that they started.
//
//	c := trees.New("/", func() []int { return shims })
//	seconds := c.CPU()                 // walks /proc; for the monitor, which asks once a second
//	seconds, runnable := c.Recent(now) // half a second old at most; for the guard, which asks often
//
// A process that has ended still counts. The kernel adds to each process the time of the children
// that it waited for, and a shim inherits and waits for every orphan below it. The time of a
// process is lost only if its parent ignores SIGCHLD: the kernel then adds it to no process.
package trees

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"
)

const (
	// visits bounds the threads that one walk visits, to some 15 ms of CPU. Processes beyond that
	// count when they have ended.
	visits = 1000
	// recent is how old the answer of Recent may be. It is less than the second after which the
	// guard reports that batch work has had no CPU.
	recent = 500 * time.Millisecond
)

// Counter counts the CPU time of the shims' process trees. Its methods may be called from several
// goroutines.
type Counter struct {
	proc  string // the folder
	shims func() []int
	began uint64 // when this process started, in ticks since boot
	mu    struct {
		sync.Mutex
		total    float64 // CPU seconds
		runnable bool
		known    map[int]tree // by the shim's process id
		at       time.Time    // of the last walk
	}
}

// tree is what is known of a shim and its descendants.
type tree struct {
	started uint64  // the shim's; another start means another process with the same id
	counted float64 // CPU seconds of this tree that are in the total
	fell    bool    // the last walk found less than was counted
}

// New returns a counter that begins at zero. shims lists the process ids of the host's shims; the
// counter calls it under its lock. root is the prefix of /proc.
func New(root string, shims func() []int) *Counter {
	c := &Counter{proc: root + "/proc/", shims: shims}
	c.mu.known = map[int]tree{}
	if self, err := c.readStat(os.Getpid()); err == nil {
		c.began = self.started
	}
	return c
}

// CPU returns the CPU seconds that the shims and their descendants have used since the counter
// began. It never falls.
func (c *Counter) CPU() (seconds float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.walkLocked(time.Now())
	return c.mu.total
}

// Recent returns what CPU returned at most half a second ago, and whether a descendant of a shim
// ran or waited for a CPU then. It knows that of the main threads only.
func (c *Counter) Recent(now time.Time) (seconds float64, runnable bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.mu.at) >= recent {
		c.walkLocked(now)
	}
	return c.mu.total, c.mu.runnable
}

// walkLocked counts all trees. It keeps a shim that is not listed for as long as it lives: its
// connection may be lost for a moment, and a rediscovered shim must not count from zero.
func (c *Counter) walkLocked(now time.Time) {
	c.mu.at, c.mu.runnable = now, false
	pids := slices.AppendSeq(c.shims(), maps.Keys(c.mu.known))
	slices.Sort(pids)
	left := visits
	for _, pid := range slices.Compact(pids) {
		shim, err := c.readStat(pid)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			delete(c.mu.known, pid)
		}
		if err != nil {
			continue
		}
		below := c.readBelow(pid, &left)
		c.mu.runnable = c.mu.runnable || below.runnable
		c.addLocked(pid, shim.started, shim.cpu+below.cpu, left >= 0)
	}
}

// addLocked adds to the total what a tree has used since the last walk. whole says that the walk
// reached all of the tree.
func (c *Counter) addLocked(pid int, started uint64, sum float64, whole bool) {
	t, known := c.mu.known[pid]
	if !known || t.started != started {
		t = tree{started: started}
		if started < c.began { // an earlier agent's shim: that agent counted what it used
			t.counted = sum
		}
	}
	switch fell := sum < t.counted; {
	case !fell:
		c.mu.total += sum - t.counted
		t.counted, t.fell = sum, false
	case t.fell && whole: // twice in a row: the kernel has dropped the time of a process
		t.counted, t.fell = sum, false
	default: // a process that ended or got another parent during the walk can be missed once
		t.fell = whole
	}
	c.mu.known[pid] = t
}

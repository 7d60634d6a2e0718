package trees

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// host is a folder with a /proc of its own.
type host struct {
	t    *testing.T
	root string
}

func newHost(t *testing.T) host { return host{t, t.TempDir()} }

func (h host) write(text string, path ...string) {
	h.t.Helper()
	file := filepath.Join(append([]string{h.root, "proc"}, path...)...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		h.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		h.t.Fatal(err)
	}
}

// statOf returns a stat file. own and waited are CPU ticks of the process and of the children that
// it waited for, half of them in the kernel.
func statOf(state string, own, waited, started int) string {
	return fmt.Sprintf("7 (a ) R (b) %s 1 7 7 0 -1 4194560 100 200 0 0 %d %d %d %d 20 0 1 0 %d 1000 10\n",
		state, own-own/2, own/2, waited-waited/2, waited/2, started)
}

// set makes a process that sleeps, started at tick 1000, and its only thread.
func (h host) set(pid, own, waited int, children ...int) {
	h.t.Helper()
	h.write(statOf("S", own, waited, 1000), strconv.Itoa(pid), "stat")
	h.parent(pid, pid, children...)
}

// parent makes a thread that forked the children.
func (h host) parent(pid, thread int, children ...int) {
	h.t.Helper()
	text := ""
	for _, child := range children {
		text += strconv.Itoa(child) + " "
	}
	h.write(text, strconv.Itoa(pid), "task", strconv.Itoa(thread), "children")
}

func (h host) end(pid int) {
	h.t.Helper()
	if err := os.RemoveAll(filepath.Join(h.root, "proc", strconv.Itoa(pid))); err != nil {
		h.t.Fatal(err)
	}
}

// count returns a counter of these shims that began at tick 500.
func (h host) count(shims ...int) *Counter {
	h.t.Helper()
	h.write(statOf("R", 1, 0, 500), strconv.Itoa(os.Getpid()), "stat")
	return New(h.root, func() []int { return shims })
}

func (h host) want(c *Counter, seconds float64, what string) {
	h.t.Helper()
	if got := c.CPU(); math.Abs(got-seconds) > 1e-6 {
		h.t.Errorf("%s: %.2f s, want %.2f", what, got, seconds)
	}
}

func TestShimsAndAllBelowCount(t *testing.T) {
	h := newHost(t)
	h.set(10, 5, 0, 11)
	h.set(11, 100, 20, 12, 13)
	h.set(12, 30, 0)
	h.set(13, 40, 0)
	h.parent(11, 111, 14) // the child of a second thread
	h.set(14, 50, 0)
	h.set(20, 7, 0)
	h.set(99, 1000, 1000) // a process of another parent
	c := h.count(10, 20)
	h.want(c, 2.52, "two shims and four descendants")
	h.want(c, 2.52, "nothing has run since")
	h.set(14, 150, 0)
	h.want(c, 3.52, "one has run for a second")
}

func TestWhatEndsCountsOnce(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.set(11, 100, 0, 12)
	h.set(12, 200, 0)
	c := h.count(10)
	h.want(c, 3, "three processes")
	h.end(12)
	h.set(11, 100, 250)
	h.want(c, 3.5, "a process ended, and its parent waited for it")
	h.end(11)
	h.set(10, 0, 360)
	h.want(c, 3.6, "the task ended, and the shim waited for it")
}

// An orphan becomes the shim's child. The walk may see it with neither parent, once.
func TestOrphanCountsOnce(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.set(11, 100, 0, 12)
	h.set(12, 200, 0)
	c := h.count(10)
	h.want(c, 3, "the orphan has its parent")
	h.end(11)
	h.set(10, 0, 100)
	h.want(c, 3, "it was missed")
	h.set(10, 0, 100, 12)
	h.set(12, 220, 0)
	h.want(c, 3.2, "it is the shim's")
}

// A parent that ignores SIGCHLD does not get the time of its children.
func TestTimeThatTheKernelDropsHidesNoOther(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.set(11, 100, 0, 12)
	h.set(12, 200, 0)
	c := h.count(10)
	h.want(c, 3, "two processes")
	h.end(12)
	h.set(11, 110, 0)
	h.want(c, 3, "the child's time is gone")
	h.set(11, 120, 0)
	h.want(c, 3, "it is gone still")
	h.set(11, 220, 0)
	h.want(c, 4, "the parent has run for a second since")
}

func TestIdThatIsUsedAgainIsAnotherShim(t *testing.T) {
	h := newHost(t)
	h.set(10, 300, 0)
	c := h.count(10)
	h.want(c, 3, "the first")
	h.write(statOf("S", 50, 0, 2000), "10", "stat")
	h.want(c, 3.5, "the second begins at zero")
	h.end(10)
	h.want(c, 3.5, "none is left")
	if len(c.mu.known) > 0 {
		t.Errorf("processes known = %v, want none", c.mu.known)
	}
}

func TestShimOfAnEarlierAgentCountsFromNowOn(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.write(statOf("S", 300, 0, 400), "10", "stat")
	h.set(11, 400, 0)
	c := h.count(10)
	h.want(c, 0, "the earlier agent counted this")
	h.set(11, 450, 0)
	h.want(c, 0.5, "this agent counts the rest")
}

// A shim has no connection for a moment: it counts nevertheless, and once.
func TestShimThatIsNotListedGoesOn(t *testing.T) {
	h := newHost(t)
	h.set(10, 300, 0)
	shims := []int{10}
	h.count()
	c := New(h.root, func() []int { return shims })
	h.want(c, 3, "listed")
	shims = nil
	h.set(10, 400, 0)
	h.want(c, 4, "not listed")
	shims = []int{10}
	h.want(c, 4, "listed again")
}

func TestGarbageCountsNothing(t *testing.T) {
	h := newHost(t)
	h.set(10, 100, 0, 11, 12, 13, 14, 15)
	h.write("", "11", "stat")
	h.write("12 (x) S 1 2 3", "12", "stat")
	h.write(strings.Replace(statOf("S", 77, 0, 1000), " 39 ", " -39 ", 1), "13", "stat")
	h.write(strings.Replace(statOf("S", 1, 0, 1000), " 1000 1000 ", " x 1000 ", 1), "14", "stat")
	h.set(15, 25, 0)
	h.write("x -3 99999999999999999999 16", "15", "task", "15", "children")
	h.set(16, 50, 0)
	h.write("no stat", "20", "stat")
	h.want(h.count(10, 20, 30), 1.75, "what can be read")
}

// A walk that was cut short finds less, which is no sign that time was dropped.
func TestWalkIsBounded(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.set(11, 100, 0)
	c := h.count(10)
	h.want(c, 1, "all of it")
	for thread := range visits {
		h.parent(10, 100000+thread)
	}
	h.set(10, 0, 0)
	h.parent(10, 999999, 11)
	for range 3 {
		h.want(c, 1, "the last thread is not reached")
	}
	h.end(11)
	h.set(10, 0, 180)
	h.want(c, 1.8, "what has ended counts")
}

func TestRunnableIsOfDescendants(t *testing.T) {
	h := newHost(t)
	h.set(10, 0, 0, 11)
	h.set(11, 0, 0, 12)
	h.set(12, 0, 0)
	h.write(statOf("R", 0, 0, 1000), "10", "stat")
	if _, runnable := h.count(10).Recent(time.Now()); runnable {
		t.Error("runnable = true with only the shim, want false")
	}
	h.write(statOf("R", 3, 0, 1000), "12", "stat")
	if seconds, runnable := h.count(10).Recent(time.Now()); !runnable || seconds != 0.03 {
		t.Errorf("Recent() = %.2f s, %v, want 0.03, true for a descendant", seconds, runnable)
	}
}

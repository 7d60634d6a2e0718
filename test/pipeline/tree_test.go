package pipeline

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// tree is a host's /proc and /sys below a folder of its own: those of this machine, but for
// /proc/stat, which the test writes. So several agents of one machine have primaries of their own.
type tree struct {
	root  string
	cores int
	mu    sync.Mutex // of what follows
	load  float64    // cores that the primary uses
	used  float64    // CPU seconds of the primary until at
	at    time.Time
	err   error
}

// tick is how often the tree's counters grow.
const tick = 100 * time.Millisecond

// newTree makes a host of so many cores, whose primary uses load of them until drive says otherwise.
func newTree(t *testing.T, cores int, load float64) *tree {
	t.Helper()
	h := &tree{root: t.TempDir(), cores: cores, load: load, at: time.Now()}
	if err := h.link(); err != nil {
		t.Fatal(err)
	}
	h.advance()
	ticks, done := time.NewTicker(tick), make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		for {
			select {
			case <-ticks.C:
				h.advance()
			case <-done:
				return
			}
		}
	})
	t.Cleanup(func() {
		ticks.Stop()
		close(done)
		writer.Wait()
		if h.err != nil {
			t.Error(h.err)
		}
	})
	return h
}

// link makes the tree of links to this machine's files.
func (h *tree) link() error {
	if err := os.Mkdir(filepath.Join(h.root, "proc"), 0o755); err != nil {
		return err
	}
	for _, name := range []string{"proc/self", "proc/meminfo", "proc/pressure", "proc/diskstats", "proc/net", "proc/sys", "sys"} {
		if err := os.Symlink("/"+name, filepath.Join(h.root, name)); err != nil {
			return err
		}
	}
	return nil
}

// drive has the primary use so many cores from now on.
func (h *tree) drive(load float64) {
	h.advance()
	h.mu.Lock()
	h.load = load
	h.mu.Unlock()
}

// advance writes the counters of now.
func (h *tree) advance() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	h.used, h.at = h.used+h.load*now.Sub(h.at).Seconds(), now
	ticks := 100 * h.used // the kernel counts hundredths of a second
	var b strings.Builder
	fmt.Fprintf(&b, "cpu %.0f 0 0 1000 0 0 0 0 0 0\n", ticks)
	for n := range h.cores {
		fmt.Fprintf(&b, "cpu%d %.0f 0 0 1000 0 0 0 0 0 0\n", n, ticks/float64(h.cores))
	}
	b.WriteString("intr 0\nctxt 1\nbtime 1700000000\nprocesses 1\nprocs_running 1\nprocs_blocked 0\nsoftirq 0 0 0 0 0 0 0 0 0 0 0\n")
	next := filepath.Join(h.root, "stat.next")
	err := os.WriteFile(next, []byte(b.String()), 0o644)
	if err == nil { // no reader sees half a file
		err = os.Rename(next, filepath.Join(h.root, "proc", "stat"))
	}
	if err != nil && h.err == nil {
		h.err = err
	}
}

// Package heap keeps a process that holds a pool's state within a memory limit. It gives
// the limit to the garbage collector, and reports when the live heap has reached half of
// it, so that new work can wait:
//
//	0 ─────────── live heap ──────────▶ Limit/2 ───── garbage ─────▶ Limit
//	  new work is accepted            │ new work waits
//
// So the collector always has at least half as much room as there is live heap. Without a bound on the live heap,
// the collector would run ever more often as the heap nears the limit, until it took half of the
// CPU: with 20,000 jobs, 17 a second ended instead of 337.
package heap

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"lull/subjects"
)

const (
	// Least is the smallest limit, in bytes. Half of it has room for an idle pool, 48 MB,
	// and for what admission and slotter keep of ended jobs: ledger.KeepMost each. With less,
	// new jobs would wait although nothing is open.
	Least = 320 << 20
	// small is the size, in bytes, to which a heap may grow before a collection even
	// if little of it is live. Collecting a small heap at every doubling took 7 % of
	// the time of a no-op task.
	small = 96 << 20
	// maxGOGC is the greatest value of GOGC, however little is live.
	maxGOGC = 400
	// collectEvery is the interval at which a full heap is collected to see if it has room.
	collectEvery = 2 * time.Second
)

// Heap is the memory of this process.
type Heap struct {
	limit   uint64
	tune    bool // set GOGC, because the environment does not
	reading atomic.Pointer[subjects.Memory]
	mu      struct {
		sync.Mutex
		gc, all float64 // CPU seconds of the collector, and of the process
		percent int
	}
}

// Limit begins to keep the process within a number of bytes. It does not override GOGC and
// GOMEMLIMIT.
func Limit(bytes uint64) *Heap {
	h := &Heap{limit: bytes, tune: os.Getenv("GOGC") == ""}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(bytes))
	}
	h.collected()
	h.awaitCollection()
	return h
}

// Read returns the measurement of the last collection. It is safe for concurrent use.
func (h *Heap) Read() subjects.Memory { return *h.reading.Load() }

// awaitCollection arranges a call of collected after each collection, without polling.
func (h *Heap) awaitCollection() {
	marker := new([16]byte)
	runtime.AddCleanup(marker, func(h *Heap) {
		h.collected()
		h.awaitCollection()
	}, h)
}

// names are the metrics read from the runtime.
var names = []string{"/gc/heap/live:bytes", "/cpu/classes/gc/total:cpu-seconds", "/cpu/classes/total:cpu-seconds", "/cpu/classes/idle:cpu-seconds"}

// collected reads the metrics after a collection.
func (h *Heap) collected() {
	samples := make([]metrics.Sample, len(names))
	for i, name := range names {
		samples[i].Name = name
	}
	metrics.Read(samples)
	live := samples[0].Value.Uint64()
	h.mu.Lock()
	defer h.mu.Unlock()
	now := subjects.Memory{Live: live, Limit: h.limit, Full: live >= h.limit/2}
	gc, all := samples[1].Value.Float64(), samples[2].Value.Float64()-samples[3].Value.Float64()
	if spent := all - h.mu.all; spent > 0 {
		now.Collector = (gc - h.mu.gc) / spent
	}
	h.mu.gc, h.mu.all = gc, all
	before := h.reading.Swap(&now)
	if percent := Percent(live, h.limit); h.tune && percent != h.mu.percent {
		h.mu.percent = percent
		debug.SetGCPercent(percent)
	}
	if now.Full && (before == nil || !before.Full) {
		go h.collectUntilRoom()
	}
}

// collectUntilRoom collects at intervals as long as the heap is full: while new work waits, there
// may be too little garbage to start a collection.
func (h *Heap) collectUntilRoom() {
	for h.Read().Full {
		time.Sleep(collectEvery)
		runtime.GC()
	}
}

// Percent returns the value of GOGC for a live heap and a limit, in bytes. A small heap may grow to
// 96 MB. One of 96 MB may grow by half, and the larger a heap is the nearer it may come to doubling,
// but it grows by a quarter of the limit at most. Growing a medium heap by half takes a fiftieth more
// CPU than doubling it, and a fifth less memory. In a large heap each collection takes longer.
func Percent(live, limit uint64) int {
	live = max(live, 1<<20)
	grow := live/2 + max(live, small)/2 - small/2 // half of a medium one
	if live < small {
		grow = max(grow, small-live)
	}
	grow = min(grow, max(live, small-min(live, small)), limit/4)
	return int(min(max(100*grow/live, 10), maxGOGC))
}

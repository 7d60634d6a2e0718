// Package heap keeps a process that holds a pool's state within its memory. The
// collector of garbage is told how much there is, and whoever takes in new work
// is told when the live heap has its share of it:
//
//	0 ─────────── live heap ──────────▶ Limit/2 ───── garbage ─────▶ Limit
//	  new work is taken in            │ new work waits
//
// So the collector always has as much room as there is live heap. Without a
// bound on what is live, it works ever more often as that nears the limit, until
// it has half of the CPU: 20,000 jobs ended at 17 a second, where 337 do.
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
	// Least is the smallest limit, in bytes: a pool at rest takes some 40 MB, and
	// what is kept of jobs that are over up to 100.
	Least = 128 << 20
	// small is the size up to which a heap may grow whatever is live of it, in
	// bytes. To collect a small heap at every doubling cost 7 % of a no-op task.
	small = 96 << 20
	// most is the value of GOGC below small.
	most = 400
	// again is how often it is looked whether a full heap has room again.
	again = 2 * time.Second
)

// Heap is the memory of this process.
type Heap struct {
	limit   uint64
	tune    bool // the collector: nobody set GOGC
	reading atomic.Pointer[subjects.Memory]
	mu      struct {
		sync.Mutex
		gc, all float64 // CPU seconds of the collector, and in all
		percent int
	}
}

// Limit begins to keep the process within so many bytes. It leaves the collector
// as GOGC and GOMEMLIMIT set it, if they do.
func Limit(bytes uint64) *Heap {
	h := &Heap{limit: bytes, tune: os.Getenv("GOGC") == ""}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(bytes))
	}
	h.collected()
	h.watch()
	return h
}

// Read returns what the last collection found. It is safe for concurrent use.
func (h *Heap) Read() subjects.Memory { return *h.reading.Load() }

// watch is called back after each collection: nothing needs to poll.
func (h *Heap) watch() {
	marker := new([16]byte)
	runtime.AddCleanup(marker, func(h *Heap) {
		h.collected()
		h.watch()
	}, h)
}

// names of what is read of the runtime.
var names = []string{"/gc/heap/live:bytes", "/cpu/classes/gc/total:cpu-seconds", "/cpu/classes/total:cpu-seconds", "/cpu/classes/idle:cpu-seconds"}

// collected notes what a collection found.
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
		go h.untilRoom()
	}
}

// untilRoom collects now and then as long as the heap is full: where new work
// waits, there may be too little garbage for a collection.
func (h *Heap) untilRoom() {
	for h.Read().Full {
		time.Sleep(again)
		runtime.GC()
	}
}

// Percent is the value of GOGC for a live heap and a limit, in bytes: it lets a
// small heap grow to 96 MB and any other double, by a quarter of the limit at most.
func Percent(live, limit uint64) int {
	live = max(live, 1<<20)
	grow := live
	if live < small/2 {
		grow = small - live
	}
	grow = min(grow, limit/4)
	return int(min(max(100*grow/live, 10), most))
}

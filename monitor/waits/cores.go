package waits

import (
	"errors"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// Core is what a CPU does right now.
type Core struct {
	Primary bool          // it runs a thread of the primary
	Batch   bool          // it runs batch work
	Stint   time.Duration // how long it has run that
	// Waiting is the number of entries of Threads that are set: threads of the primary that are
	// queued here, in no order. The kernel may have moved one to another CPU meanwhile.
	Waiting int
	Threads [places]Waiter
}

// Waiter is a thread that waits for a CPU, and since when.
type Waiter struct {
	Thread int
	Waits  time.Duration
}

// lost is the time after which a wait counts as ended unseen: the thread became batch work while it
// waited, or found the map of threads full. A thread that truly waits for so long has been shown
// for 20 ms.
const lost = 20 * time.Millisecond

// Cores looks at single CPUs. Its sensor must stay open while it is used. It is not safe for
// concurrent use, but may be used while another goroutine uses the sensor.
type Cores struct {
	words []uint64 // of the records, which programs write meanwhile
	cpus  int
	bytes []byte
	bell  *bell
}

// Look appends what each CPU does, in the order of their numbers. It takes a few loads a CPU, and
// no system call.
func (c *Cores) Look(to []Core) []Core {
	c.bell.hush()
	now := clock()
	for n := range c.cpus {
		to = append(to, readCore(c.words[n*recordSize/8:][:atDelays/8], now))
	}
	return to
}

// Listen rings the bell for a thread; 0 stops it.
func (c *Cores) Listen(thread int) {
	for n := range c.cpus {
		atomic.StoreUint64(&c.words[(n*recordSize+atListener)/8], uint64(thread))
	}
}

// Bell is a file that can be read when threads of the primary may wait while
// batch work has a CPU, until the next look.
func (c *Cores) Bell() int { return int(c.bell.file.Fd()) }

// readCore reads the record of one CPU.
func readCore(record []uint64, now uint64) (c Core) {
	kind := atomic.LoadUint64(&record[atKind/8])
	c.Primary, c.Batch = kind == primary, kind == batch
	if since := atomic.LoadUint64(&record[atSince/8]); since < now {
		c.Stint = time.Duration(now - since)
	}
	for i := range places {
		place := &record[atPlaces/8+i]
		held := atomic.LoadUint64(place)
		if held == 0 {
			continue
		}
		waits := waitOf(held, now)
		if waits > lost {
			atomic.CompareAndSwapUint64(place, held, 0)
			continue
		}
		c.Threads[c.Waiting] = Waiter{int(held & threadMask), waits}
		c.Waiting++
	}
	return c
}

// waitOf returns how long a place has been held, modulo 52 days. A wait that seems to have begun
// later than now has length 0.
func waitOf(held, now uint64) time.Duration {
	const half = 1 << (63 - threadBits)
	units := (now>>unitBits - held>>threadBits) & (2*half - 1)
	if units >= half {
		return 0
	}
	return time.Duration(units << unitBits)
}

// Close releases what Cores holds.
func (c *Cores) Close() error {
	c.words, c.cpus = nil, 0
	return errors.Join(c.bell.close(), unix.Munmap(c.bytes))
}

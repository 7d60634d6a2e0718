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
	Waited time.Duration
}

// staleWait is the time after which Look no longer shows a wait. The programs may have missed its end: the
// thread became batch work while it waited, or found the map of threads full. A thread that really waits
// for so long was shown for 20 ms.
const staleWait = 20 * time.Millisecond

// Cores shows what each CPU does. The sensor that it comes from must stay open while it is used. It is
// not safe for concurrent use, but may be used while another goroutine uses the sensor.
type Cores struct {
	words []uint64 // the records, which the eBPF programs change all the time
	cpus  int
	bytes []byte // the mapped memory of words
	bell  *bell
}

// Look appends what each CPU does, in the order of their numbers. It costs a few loads of memory per
// CPU, and no system call. It also arms the bell again.
func (c *Cores) Look(to []Core) []Core {
	c.bell.markRead()
	now := clock()
	for n := range c.cpus {
		to = append(to, readCore(c.words[n*recordSize/8:][:atDelays/8], now))
	}
	return to
}

// SetListener tells the programs which thread waits for the bell. With 0 the bell does not ring.
func (c *Cores) SetListener(thread int) {
	for n := range c.cpus {
		atomic.StoreUint64(&c.words[(n*recordSize+atListener)/8], uint64(thread))
	}
}

// Bell returns a file descriptor to poll. It becomes readable when threads of the primary may
// be waiting while batch work has a CPU, and stays so until the next Look.
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
		if waits > staleWait {
			atomic.CompareAndSwapUint64(place, held, 0)
			continue
		}
		c.Threads[c.Waiting] = Waiter{int(held & threadMask), waits}
		c.Waiting++
	}
	return c
}

// waitOf returns how long the thread in a place has waited, modulo 52 days. A wait that seems to have
// begun later than now has length 0.
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

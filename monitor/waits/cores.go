package waits

import (
	"fmt"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"golang.org/x/sys/unix"
)

// Core is what a CPU does right now.
type Core struct {
	Primary bool // it runs a thread of the primary
	Batch   bool // it runs batch work
	// Waiting is how many of Threads are filled, with threads of the primary that
	// are queued here, in no order. One may have been moved to another CPU.
	Waiting int
	Threads [places]Waiter
}

// Waiter is a thread that waits for a CPU, and since when.
type Waiter struct {
	Thread int
	Waits  time.Duration
}

// lost is how long no thread waits, as far as can be told: of a busy server two
// or three a second seem to wait for ever, because nobody saw the end of it. One
// that truly waits so long has been shown for 20 ms.
const lost = 20 * time.Millisecond

// Cores sees single CPUs. Its sensor must stay open while it is used; it is not
// safe for concurrent use, but beside the sensor's own.
type Cores struct {
	words []uint64 // of the records, which programs write meanwhile
	cpus  int
	bytes []byte
}

// Cores begins to look at single CPUs. The error is ErrBlind if the sensor does
// not see them. Close what it returns before the sensor.
func (s *Sensor) Cores() (*Cores, error) {
	t, ok := s.source.(*tracer)
	if !ok {
		return nil, fmt.Errorf("single CPUs: %w", ErrBlind)
	}
	if !firstNamespace() {
		return nil, fmt.Errorf("threads have other numbers in this container: %w", ErrBlind)
	}
	return openCores(t.records, t.cpus)
}

// firstNamespace reports whether threads have the numbers here that they have
// for the kernel's programs.
func firstNamespace() bool {
	const first = 0xEFFFFFFC // PROC_PID_INIT_INO
	var stat unix.Stat_t
	return unix.Stat("/proc/self/ns/pid", &stat) == nil && stat.Ino == first
}

// openCores maps the records once more. Package ebpf copies what it reads, and
// whole words that are read at once need no copy.
func openCores(records *ebpf.Map, cpus int) (*Cores, error) {
	page := unix.Getpagesize()
	size := (cpus*recordSize + page - 1) / page * page
	bytes, err := unix.Mmap(records.FD(), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map the records of the CPUs: %w", err)
	}
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(bytes))), size/8)
	return &Cores{words, cpus, bytes}, nil
}

// Look appends what each CPU does, by its number. It is a few loads a CPU, and no
// system call but for the time.
func (c *Cores) Look(to []Core) ([]Core, error) {
	now, err := clock()
	if err != nil {
		return to, err
	}
	for n := range c.cpus {
		to = append(to, look(c.words[n*recordSize/8:][:atDelays/8], now))
	}
	return to, nil
}

// look reads the record of one CPU.
func look(record []uint64, now uint64) (c Core) {
	kind := atomic.LoadUint64(&record[atKind/8])
	c.Primary, c.Batch = kind == primary, kind == batch
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

// waitOf is how long a place has been held. It counts modulo 52 days, and what
// seems to begin later than now has no length.
func waitOf(held, now uint64) time.Duration {
	const half = 1 << (63 - threadBits)
	units := (now>>unitBits - held>>threadBits) & (2*half - 1)
	if units >= half {
		return 0
	}
	return time.Duration(units << unitBits)
}

// Close ends the looking.
func (c *Cores) Close() error {
	c.words, c.cpus = nil, 0
	return unix.Munmap(c.bytes)
}

package disk

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/hostctl/lru"
	"lull/subjects"
)

// How often free space is looked at: usually, and while a task fills the disk.
const (
	interval     = time.Second
	nearInterval = 200 * time.Millisecond
)

// Store is the data folder. store.Store implements it.
type Store interface {
	Root() string
	// Space returns the free and the total bytes of the folder's disk.
	Space() (free, total int64, err error)
	// PerFile returns the bytes that each file counts for, if the disk is short of inodes; else 0.
	PerFile() int64
}

// Config is what a Monitor works with. All fields but MinFree are required.
type Config struct {
	Store Store
	// Proc is the path of /proc.
	Proc string
	// MinFree is the reserve in bytes. 0 means Reserve's default.
	MinFree int64
	// Running returns the attempts that have processes.
	Running func() []Attempt
	// Report passes events to the host's actor: an actor.Disk when the disk became full or has room
	// again, an actor.Relieve to evict an attempt.
	Report func(any)
	Logger *slog.Logger
}

// Monitor watches the disk of one data folder. Its methods are safe for concurrent use.
type Monitor struct {
	cfg  Config
	ends *lru.Cache[Task, *int] // how often each task ended for the disk; mu guards the numbers
	mu   struct {
		sync.Mutex
		full   bool
		filler guard.Held // the attempt that was evicted last
	}
}

// New returns a monitor. The disk counts as not full until Run has looked.
func New(c Config) *Monitor { return &Monitor{cfg: c, ends: lru.New[Task, *int](maxTasks)} }

// Full reports whether the disk was full at the last look.
func (m *Monitor) Full() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mu.full
}

// Exhausted looks at the disk, and reports whether its reserve is touched. It is false if the free
// space is not known.
func (m *Monitor) Exhausted() bool {
	free, total, err := m.cfg.Store.Space()
	return err == nil && isFull(free, Reserve(m.cfg.MinFree, total), false)
}

// Run looks at the disk until ctx ends.
func (m *Monitor) Run(ctx context.Context) {
	var fill guard.Fill
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-ctx.Done():
			return
		}
		pause := interval
		if m.checkSpace(&fill) {
			pause = nearInterval
		}
		timer.Reset(pause)
	}
}

// checkSpace looks once, and reports whether the next look is to come soon. If the free space is not
// known, the disk stays as full as it was.
func (m *Monitor) checkSpace(fill *guard.Fill) (near bool) {
	free, total, err := m.cfg.Store.Space()
	if err != nil {
		m.cfg.Logger.Warn("the free space of the disk is not known", "error", err)
		return false
	}
	reserve, was := Reserve(m.cfg.MinFree, total), m.Full()
	if full := isFull(free, reserve, was); full != was {
		m.setFull(full, fmt.Sprintf("%d MB free, %d MB needed%s", free>>20, reserve>>20, m.counted()))
	}
	now := time.Now()
	if near = fill.Look(now, free, reserve); near {
		m.evictFiller(now, fill, reserve)
	}
	return near
}

// Reserve returns the bytes to keep free on a disk of total bytes: minFree or, if that is 0, the
// larger of 64 MB and a hundredth of the disk.
func Reserve(minFree, total int64) int64 {
	if minFree == 0 {
		return max(64<<20, total/100)
	}
	return minFree
}

// isFull compares free space with the reserve. Once full, a quarter more must be free before it
// counts as room.
func isFull(free, reserve int64, was bool) bool {
	if was {
		reserve += reserve / 4
	}
	return free < reserve
}

// setFull notes and reports that the disk became full, or has room again.
func (m *Monitor) setFull(full bool, space string) {
	m.mu.Lock()
	m.mu.full = full
	m.mu.Unlock()
	m.cfg.Report(actor.Disk{Full: full})
	if full {
		m.cfg.Logger.Error("the disk is full: nothing starts until there is room", "space", space, "folder", m.cfg.Store.Root())
	} else {
		m.cfg.Logger.Info("the disk has room again", "space", space)
	}
}

// evictFiller asks for the end of the attempt that fills the disk, once it is clear which one
// does.
func (m *Monitor) evictFiller(now time.Time, fill *guard.Fill, reserve int64) {
	var held []guard.Held
	for _, a := range m.cfg.Running() {
		held = append(held, guard.Held{Attempt: a.ID, Bytes: m.usage(a)})
	}
	c, ok := fill.Judge(now, reserve, held)
	if !ok {
		return
	}
	c.Why += m.counted()
	m.noteFiller(held, c.Attempt)
	m.cfg.Logger.Warn("a task fills the disk and is evicted", "attempt", c.Attempt, "because", c.Why)
	m.cfg.Report(actor.Relieve{Attempt: c.Attempt, Reason: subjects.ReasonDisk, Why: c.Why, AtOnce: true})
}

// counted says what the bytes of a disk mean that is short of inodes.
func (m *Monitor) counted() string {
	per := m.cfg.Store.PerFile()
	if per == 0 {
		return ""
	}
	return fmt.Sprintf(" (the disk is short of inodes, so each file counts as %d bytes at least: see df -i)", per)
}

// noteFiller notes what the attempt holds that is to be evicted.
func (m *Monitor) noteFiller(held []guard.Held, attempt uint64) {
	i := slices.IndexFunc(held, func(h guard.Held) bool { return h.Attempt == attempt })
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mu.filler = held[i]
}

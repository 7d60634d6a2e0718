package hostctl

import (
	"errors"
	"log/slog"
	"sync"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
	"lull/hostctl/slots"
)

// levers are what the guard moves, as a *cgroup.Tree has them.
type levers interface {
	SetCores(n int) error
	SetMemoryHigh(bytes int64) error
	SetDisk(bytesPerSecond int64) error
	Reclaim(bytes int64) error
	Raise(on bool) error
}

var _ levers = (*cgroup.Tree)(nil)

// hands carry out orders. What cannot be written is tried again at each turn.
type hands struct {
	tree   levers
	report func(any)
	log    *slog.Logger

	cores  lever[int]
	high   lever[int64]
	disk   lever[int64]
	raised lever[bool]
	frozen lever[bool]
	yield  lever[bool]

	reclaims chan int64     // one at a time: the kernel takes its time
	reclaim  sync.WaitGroup // who waits for it
}

// lever is one thing that the guard sets.
type lever[T comparable] struct {
	what    string
	in      T // force
	write   func(T) error
	failing bool // and the log says so
}

func newHands(a *Agent) hands {
	freeze := func(on bool) error { a.wish(slots.ByGuard, on); return nil }
	report := func(r any) {
		if _, evict := r.(actor.Relieve); !evict || !a.evictUnclaimed() {
			a.report(r)
		}
	}
	return newHandsOn(a.tree, int(a.cores()), freeze, a.yield, report, a.cfg.Logger)
}

// yielded is the cap of a slot that yields, in cores: a task that must end can.
const yielded = 0.01

// yield caps all slots next to nothing, or no more. Freezing takes a task's own CPU
// time, which it has to wait for beside a primary that wants it all.
func (a *Agent) yield(on bool) (err error) {
	cores := 0.0
	if on {
		cores = yielded
	}
	for _, s := range a.slots {
		err = errors.Join(err, a.slotCaps.Guard(s.N, cores))
	}
	return err
}

func newHandsOn(tree levers, cores int, freeze, yield func(bool) error, report func(any), log *slog.Logger) hands {
	return hands{
		tree: tree, report: report, log: log, reclaims: make(chan int64, 1),
		cores:  lever[int]{what: "cores", in: cores, write: tree.SetCores},
		high:   lever[int64]{what: "bytes of memory", write: tree.SetMemoryHigh},
		disk:   lever[int64]{what: "bytes/s of disk", write: tree.SetDisk},
		raised: lever[bool]{what: "ordinary weight", write: tree.Raise},
		frozen: lever[bool]{what: "frozen", write: freeze},
		yield:  lever[bool]{what: "yield", write: yield},
	}
}

// carry brings batch work to what was ordered.
func (h *hands) carry(o guard.Orders, raised bool) {
	h.raised.set(h.log, raised)
	h.yield.set(h.log, o.Yield && !raised)
	h.cores.set(h.log, o.Cores)
	if h.frozen.in != o.Frozen {
		h.report(actor.Guarded{Frozen: o.Frozen, Why: o.Why})
	}
	h.frozen.set(h.log, o.Frozen)
	h.high.set(h.log, o.MemoryHigh)
	h.disk.set(h.log, o.DiskRate)
	if o.Reclaim > 0 {
		h.takeBack(o.Reclaim)
	}
	if o.Evict {
		h.report(actor.Relieve{AtOnce: o.AtOnce, Why: o.For})
	}
}

// release lets everything go. What is gone already needs no telling.
func (h *hands) release(cores int) {
	h.log = slog.New(slog.DiscardHandler)
	h.carry(guard.Orders{Cores: cores}, false)
	h.reclaim.Wait()
}

// takeBack reclaims memory beside the loop, which must go on looking meanwhile.
func (h *hands) takeBack(bytes int64) {
	select {
	case h.reclaims <- bytes:
	default:
		return // the last one has not ended
	}
	h.reclaim.Go(func() {
		err := h.tree.Reclaim(bytes)
		if err != nil && !errors.Is(err, cgroup.ErrAbsent) && !errors.Is(err, cgroup.ErrHeld) {
			h.log.Warn("guard: memory is not given back", "bytes", bytes, "error", err)
		}
		<-h.reclaims
	})
}

func (l *lever[T]) set(log *slog.Logger, to T) {
	if l.in == to {
		return
	}
	err := l.write(to)
	if errors.Is(err, cgroup.ErrAbsent) {
		err = nil // as good as it gets here
	}
	if err != nil && !l.failing {
		log.Error("guard: a bound is not set; trying again", "bound", l.what, "to", to, "error", err)
	}
	if l.failing = err != nil; !l.failing {
		l.in = to
	}
}

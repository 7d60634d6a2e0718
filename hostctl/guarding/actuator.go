package guarding

import (
	"errors"
	"log/slog"
	"sync"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
)

// Bounds are what the guard sets, as a *cgroup.Tree has them.
type Bounds interface {
	SetCores(n int) error
	SetMemoryHigh(bytes int64) error
	SetDisk(bytesPerSecond int64) error
	Reclaim(bytes int64) error
	Raise(on bool) error
}

var _ Bounds = (*cgroup.Tree)(nil)

// actuator carries out orders. A value that cannot be written is tried again at each turn.
type actuator struct {
	bounds Bounds
	report func(any)
	log    *slog.Logger

	cores  setting[int]
	high   setting[int64]
	disk   setting[int64]
	raised setting[bool]
	frozen setting[bool]
	yield  setting[bool]

	reclaims chan int64     // holds one token: the kernel may take seconds for one
	reclaim  sync.WaitGroup // the goroutine of a reclaim
}

// setting is one value that the guard sets.
type setting[T comparable] struct {
	what    string
	inForce T // the value in force
	write   func(T) error
	failing bool // and the log says so
}

func newActuator(b Bounds, cores int, freeze, yield func(bool) error, report func(any), log *slog.Logger) actuator {
	return actuator{
		bounds: b, report: report, log: log, reclaims: make(chan int64, 1),
		cores:  setting[int]{what: "cores", inForce: cores, write: b.SetCores},
		high:   setting[int64]{what: "bytes of memory", write: b.SetMemoryHigh},
		disk:   setting[int64]{what: "bytes/s of disk", write: b.SetDisk},
		raised: setting[bool]{what: "ordinary weight", write: b.Raise},
		frozen: setting[bool]{what: "frozen", write: freeze},
		yield:  setting[bool]{what: "yield", write: yield},
	}
}

// apply applies orders to batch work.
func (h *actuator) apply(o guard.Orders, raised bool) {
	h.raised.set(h.log, raised)
	h.yield.set(h.log, o.Yield && !raised)
	h.cores.set(h.log, o.Cores)
	if h.frozen.inForce != o.Frozen {
		h.report(actor.Guarded{Frozen: o.Frozen, Why: o.Why})
	}
	h.frozen.set(h.log, o.Frozen)
	h.high.set(h.log, o.MemoryHigh)
	h.disk.set(h.log, o.DiskRate)
	if o.Reclaim > 0 {
		h.startReclaim(o.Reclaim)
	}
	if o.Evict {
		h.report(actor.Relieve{AtOnce: o.AtOnce, Why: o.EvictReason})
	}
}

// release lifts all bounds. It logs no failure: at the end the cgroups may be gone already.
func (h *actuator) release(cores int) {
	h.log = slog.New(slog.DiscardHandler)
	h.apply(guard.Orders{Cores: cores}, false)
	h.reclaim.Wait()
}

// startReclaim reclaims memory in a goroutine of its own, because the loop must go on sampling.
func (h *actuator) startReclaim(bytes int64) {
	select {
	case h.reclaims <- bytes:
	default:
		return // the last reclaim has not ended
	}
	h.reclaim.Go(func() {
		err := h.bounds.Reclaim(bytes)
		if err != nil && !errors.Is(err, cgroup.ErrAbsent) && !errors.Is(err, cgroup.ErrHeld) {
			h.log.Warn("guard: the kernel did not reclaim memory of batch work", "bytes", bytes, "error", err)
		}
		<-h.reclaims
	})
}

func (l *setting[T]) set(log *slog.Logger, to T) {
	if l.inForce == to {
		return
	}
	err := l.write(to)
	if errors.Is(err, cgroup.ErrAbsent) {
		err = nil // this kernel has no such bound
	}
	if err != nil && !l.failing {
		log.Error("guard: a bound is not set; trying again", "bound", l.what, "to", to, "error", err)
	}
	if l.failing = err != nil; !l.failing {
		l.inForce = to
	}
}

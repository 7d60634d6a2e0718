package guard

import "time"

// Guard decides on the bounds for batch work. Make it with New. It is not safe for
// concurrent use.
type Guard struct {
	cfg        Config
	at         time.Time
	last       Sample
	cpu        cpu
	saturation saturation
	memory     memory
	disk       disk
	orders     Orders
}

// New returns the guard of a host without any bounds for batch work.
func New(cfg Config) *Guard {
	cfg.Cores = max(cfg.Cores, 1)
	g := &Guard{
		cfg: cfg, cpu: newCPU(cfg), memory: newMemory(cfg.Reserve), disk: newDisk(cfg.Disk),
		orders: Orders{Cores: cfg.Cores},
	}
	if cfg.Cap && cfg.Budget > 0 {
		g.saturation.cores = float64(cfg.Cores)
	}
	return g
}

// Step takes a sample and returns the orders that hold from now on.
func (g *Guard) Step(now time.Time, s Sample) Orders {
	d := g.growth(now, &s)
	g.cpu.step(now, d, s.Tasks)
	g.saturation.step(d, s.Tasks)
	g.disk.step(now, d, &s)
	next := Orders{Reclaim: g.memory.step(now, &s)}
	next.AtOnce = g.memory.evicts(now, d, &s)
	next.Evict = next.AtOnce || g.cpu.evicts(now, s.Tasks)
	next.EvictReason = next.evictsFor(&s, g.cfg.Reserve)
	next.Cores, next.Frozen = g.cpu.coreLimit(), g.cpu.stopped()
	next.Yield = g.saturation.yields
	next.MemoryHigh, next.DiskRate = g.memory.high, g.disk.rate()
	next.Why = g.orders.Why
	if next.lasting() != g.orders.lasting() {
		next.Why = g.why(next)
	}
	g.orders = next
	return next
}

// lasting leaves out the parts that hold only once or for moments, and the texts.
func (o Orders) lasting() Orders {
	o.Yield, o.Evict, o.AtOnce, o.EvictReason, o.Reclaim, o.Why = false, false, false, "", 0, ""
	return o
}

// Steady reports whether two orders have the same lasting bounds.
func (o Orders) Steady(p Orders) bool { return o.lasting() == p.lasting() }

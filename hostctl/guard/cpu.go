package guard

import "time"

// evidence is the seconds of delay beyond the budget that make a complaint. Beside
// the idle class most waits are shorter than a millisecond, so it takes dozens.
const evidence = 0.02

// steps is the number of steps from all of batch work's cores to one: one core a step on small
// hosts, an eighth of the cores on large ones.
const steps = 8

// cpu keeps the budget of delay. Its means are first the kernel's idle class alone,
// then fewer cores, at last none (tasks are frozen).
type cpu struct {
	excess
	ladder
	fewerCores
	cores, stride int
	budget        float64
	frozen        time.Duration // in this period of contention
	evicted       time.Time
}

func newCPU(cfg Config) cpu {
	c := cpu{excess: excess{evidence: evidence}, cores: cfg.Cores, budget: cfg.Budget}
	c.stride = (c.cores - 1 + steps - 1) / steps
	c.ladder = ladder{last: 1, failing: sustained}
	if cfg.Fewer && c.stride > 0 {
		c.last += (c.cores - 1 + c.stride - 1) / c.stride
	}
	return c
}

func (c *cpu) step(now time.Time, d growth, tasks int) {
	c.countFrozen(d)
	if c.stopped() && tasks == 0 {
		c.rise(now) // no task is left to be frozen
		return
	}
	fewest := c.rung > 0 && c.rung == c.last-1
	c.note(d, c.rung == 0, fewest)
	complaint := c.budget > 0 && c.add(d.delayed, c.budget*d.ran)
	lasting := now.Sub(c.warned) <= calmLeast && now.Sub(c.since) >= calmLeast
	switch {
	case complaint && fewest && !lasting && c.failed(now):
		c.rung, c.moved, c.rose = 0, now, true // fewer cores cost harvest and do not help
	case complaint && c.rung == 0 && c.last > 1 && !lasting && !c.mayTry(now):
		c.noteComplaint(now) // without a step down, unless it lasts
	default:
		c.ladder.step(now, complaint)
	}
}

// countFrozen adds up how long tasks were frozen in one period of contention, which
// lasts until batch work has all cores again.
func (c *cpu) countFrozen(d growth) {
	switch {
	case c.rung == 0:
		c.frozen = 0
	case c.stopped():
		c.frozen += time.Duration(d.time * float64(time.Second))
	}
}

// stopped reports whether tasks are frozen.
func (c *cpu) stopped() bool { return c.rung == c.last }

// coreLimit is how many cores batch work may use.
func (c *cpu) coreLimit() int {
	return max(c.cores-min(c.rung, c.last-1)*c.stride, 1)
}

// evicts reports whether tasks have been frozen for so long that one is to be evicted.
func (c *cpu) evicts(now time.Time, tasks int) bool {
	if !c.stopped() || tasks == 0 || c.frozen < frozenMost || now.Sub(c.evicted) < evictEvery {
		return false
	}
	c.evicted = now
	return true
}

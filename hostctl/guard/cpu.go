package guard

import "time"

// evidence is the seconds of delay beyond the budget that are a complaint. In the
// idle class a wait is mostly shorter than a millisecond, so this is dozens.
const evidence = 0.02

// steps is how many times the harvested cores shrink from all to one: one core
// each time on small hosts, an eighth on large ones.
const steps = 8

// cpu holds the budget of delay. First the kernel's idle class alone, then fewer
// cores, at last none.
type cpu struct {
	excess
	ladder
	worth
	cores, stride int
	budget        float64
	frozen        time.Duration // in this trouble
	evicted       time.Time
}

func newCPU(cfg Config) cpu {
	c := cpu{excess: excess{evidence: evidence}, cores: cfg.Cores, budget: cfg.Budget}
	c.stride = (c.cores - 1 + steps - 1) / steps
	c.ladder = ladder{last: 1, vain: sustained}
	if cfg.Fewer && c.stride > 0 {
		c.last += (c.cores - 1 + c.stride - 1) / c.stride
	}
	return c
}

func (c *cpu) step(now time.Time, d growth, tasks int) {
	c.clock(d)
	if c.stopped() && tasks == 0 {
		c.rise(now) // no task is left to be stopped
		return
	}
	fewest := c.rung > 0 && c.rung == c.last-1
	c.note(d, c.rung == 0, fewest)
	complaint := c.budget > 0 && c.add(d.delayed, c.budget*d.ran)
	lasting := now.Sub(c.told) <= calmLeast && now.Sub(c.since) >= calmLeast
	switch {
	case complaint && fewest && !lasting && c.worth.vain(now):
		c.rung, c.moved, c.rose = 0, now, true // they cost and do not help
	case complaint && c.rung == 0 && c.last > 1 && !lasting && !c.hopes(now):
		c.hear(now) // and bear it, unless it lasts
	default:
		c.ladder.step(now, complaint)
	}
}

// clock counts how long tasks have stood still in one piece of trouble, which
// lasts until batch work has all cores again.
func (c *cpu) clock(d growth) {
	switch {
	case c.rung == 0:
		c.frozen = 0
	case c.stopped():
		c.frozen += time.Duration(d.time * float64(time.Second))
	}
}

// stopped reports whether tasks are frozen.
func (c *cpu) stopped() bool { return c.rung == c.last }

// harvest is how many cores batch work may use.
func (c *cpu) harvest() int {
	return max(c.cores-min(c.rung, c.last-1)*c.stride, 1)
}

// evicts reports whether a task has stood still for long enough.
func (c *cpu) evicts(now time.Time, tasks int) bool {
	if !c.stopped() || tasks == 0 || c.frozen < frozenMost || now.Sub(c.evicted) < evictEvery {
		return false
	}
	c.evicted = now
	return true
}

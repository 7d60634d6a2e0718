package slots

import (
	"fmt"
	"math"
	"sync"
)

// Caps owns the CPU caps of the slots. Two parties set limits: the guard for the primary, the pace
// for a job. The smaller limit is in force, and no other part writes a cap. Two writers would each
// take their own cap for the one in force, and a controller that computes with a cap which is not
// in force winds up. Its methods may be called from several goroutines.
type Caps struct {
	cores float64
	write func(slot int, cores float64) error
	mu    struct {
		sync.Mutex
		slots map[int]*limits
	}
}

// limits are caps in cores; cores of the host for none.
type limits struct{ guard, pace, force float64 }

// NewCaps returns the owner of caps that write carries out: in cores, 0 to lift.
func NewCaps(cores int, write func(slot int, cores float64) error) *Caps {
	c := &Caps{cores: float64(cores), write: write}
	c.mu.slots = make(map[int]*limits)
	return c
}

// Guard sets the guard's limit for a slot, in cores. 0 or less, and as many as the
// host has or more, is no limit. It fails with cgroup.ErrAbsent where the host
// cannot cap.
func (c *Caps) Guard(slot int, cores float64) error {
	return c.setLimit(slot, func(w *limits) { w.guard = c.bound(cores) })
}

// Pace sets the pace's limit for a slot, as Guard does the guard's.
func (c *Caps) Pace(slot int, cores float64) error {
	return c.setLimit(slot, func(w *limits) { w.pace = c.bound(cores) })
}

// InForce returns the cap that a slot runs under, in cores; all of the host's if
// there is none.
func (c *Caps) InForce(slot int) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.mu.slots[slot]; w != nil {
		return w.force
	}
	return c.cores
}

// Capped returns the cap that a slot runs under, in cores, and whether that is fewer than all.
func (c *Caps) Capped(slot int) (cores float64, capped bool) {
	cores = c.InForce(slot)
	return cores, cores < c.cores
}

// Lift removes all limits of a slot and writes that there is no cap, even if
// none is known: an earlier agent may have left one.
func (c *Caps) Lift(slot int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.mu.slots, slot)
	return c.write(slot, 0)
}

// Again writes a slot's cap once more, for a group that is new and has none.
func (c *Caps) Again(slot int) error {
	return c.setLimit(slot, func(w *limits) { w.force = c.cores })
}

func (c *Caps) setLimit(slot int, change func(*limits)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.mu.slots[slot]
	if w == nil {
		w = &limits{c.cores, c.cores, c.cores}
		c.mu.slots[slot] = w
	}
	change(w)
	return c.apply(slot, w)
}

// apply writes the smaller limit if it is not in force. A cap that could not be written
// is tried again when a limit is set next. c.mu is held.
func (c *Caps) apply(slot int, w *limits) error {
	cores := min(w.guard, w.pace)
	if math.Abs(cores-w.force) < 1e-6 {
		return nil
	}
	to := cores
	if cores >= c.cores {
		to = 0
	}
	if err := c.write(slot, to); err != nil {
		return fmt.Errorf("slot %d: cap of %.2f cores: %w", slot, cores, err)
	}
	w.force = cores
	return nil
}

// bound returns a limit in cores: all cores for no limit, and for values that no cap can have.
func (c *Caps) bound(cores float64) float64 {
	if cores <= 0 || cores >= c.cores || math.IsNaN(cores) {
		return c.cores
	}
	return cores
}

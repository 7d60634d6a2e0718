package slots

import (
	"fmt"
	"math"
	"sync"
)

// Caps owns the CPU caps of the slots. Two parties set wishes: the guard for the primary, the pace
// for a job. The smaller wish is in force, and no other part writes a cap. Two writers would each
// take their own cap for the one in force, and a controller that believes in a cap which is not
// there winds up. Its methods may be called from several goroutines.
type Caps struct {
	cores float64
	write func(slot int, cores float64) error
	mu    struct {
		sync.Mutex
		slots map[int]*wishes
	}
}

// wishes are caps in cores; cores of the host for none.
type wishes struct{ guard, pace, force float64 }

// NewCaps returns the owner of caps that write carries out: in cores, 0 to lift.
func NewCaps(cores int, write func(slot int, cores float64) error) *Caps {
	c := &Caps{cores: float64(cores), write: write}
	c.mu.slots = make(map[int]*wishes)
	return c
}

// Guard sets the guard's wish for a slot, in cores. 0 or less, and as many as the
// host has or more, is no wish. It fails with cgroup.ErrAbsent where the host
// cannot cap.
func (c *Caps) Guard(slot int, cores float64) error {
	return c.setWish(slot, func(w *wishes) { w.guard = c.bound(cores) })
}

// Pace sets the pace's wish for a slot, as Guard does the guard's.
func (c *Caps) Pace(slot int, cores float64) error {
	return c.setWish(slot, func(w *wishes) { w.pace = c.bound(cores) })
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

// Lift takes all wishes for a slot back and writes that there is no cap, known
// or not: an earlier agent may have left one.
func (c *Caps) Lift(slot int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.mu.slots, slot)
	return c.write(slot, 0)
}

// Again writes a slot's cap once more, for a group that is new and has none.
func (c *Caps) Again(slot int) error {
	return c.setWish(slot, func(w *wishes) { w.force = c.cores })
}

func (c *Caps) setWish(slot int, change func(*wishes)) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.mu.slots[slot]
	if w == nil {
		w = &wishes{c.cores, c.cores, c.cores}
		c.mu.slots[slot] = w
	}
	change(w)
	return c.apply(slot, w)
}

// apply writes the smaller wish if it is not in force. What failed to be written
// stays wished for, and is tried again with the next wish. c.mu is held.
func (c *Caps) apply(slot int, w *wishes) error {
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

// bound reads a wish: what is none, and what no cap could mean, is all cores.
func (c *Caps) bound(cores float64) float64 {
	if cores <= 0 || cores >= c.cores || math.IsNaN(cores) {
		return c.cores
	}
	return cores
}

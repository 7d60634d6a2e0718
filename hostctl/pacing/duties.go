package pacing

import (
	"context"
	"sync"
	"time"

	"lull/hostctl/pace"
)

// Actuator applies caps, which are in cores.
type Actuator interface {
	// Pace caps a slot; 0 lifts the cap.
	Pace(slot int, cores float64) error
	// InForce is the cap that is applied to a slot.
	InForce(slot int) float64
}

// DutyPeriod is the time in which a slot without a quota is frozen once. A sample has two
// periods. Much shorter ones would be inexact, as the freezer takes up to a millisecond to
// stop a process.
const DutyPeriod = 100 * time.Millisecond

// duties caps slots by freezing them for a part of each period, where the kernel has no
// quota. It is coarser than a quota: either all threads of a task run or none.
type duties struct {
	cores  float64 // of a slot that is never frozen
	freeze func(ctx context.Context, slot int, on bool) error
	mu     struct {
		sync.Mutex
		slots map[int]*duty
	}
}

// duty is a slot that is frozen in each period.
type duty struct {
	cap  float64 // cores; under duties.mu
	stop context.CancelFunc
	done chan struct{}
}

func newDuties(cores float64, freeze func(ctx context.Context, slot int, on bool) error) *duties {
	d := &duties{cores: cores, freeze: freeze}
	d.mu.slots = make(map[int]*duty)
	return d
}

var _ Actuator = (*duties)(nil)

// Pace begins, changes or ends a slot's duty. If it ends the duty, the slot is not frozen
// any more when Pace returns.
func (d *duties) Pace(slot int, cores float64) error {
	d.mu.Lock()
	running := d.mu.slots[slot]
	if cores > 0 && cores < d.cores {
		if running == nil {
			d.begin(slot, cores)
		} else {
			running.cap = cores
		}
		d.mu.Unlock()
		return nil
	}
	delete(d.mu.slots, slot)
	d.mu.Unlock()
	if running != nil {
		running.stop()
		<-running.done
	}
	return nil
}

// begin starts a slot's duty. d.mu is held.
func (d *duties) begin(slot int, cores float64) {
	ctx, stop := context.WithCancel(context.Background())
	next := &duty{cores, stop, make(chan struct{})}
	d.mu.slots[slot] = next
	go d.run(ctx, slot, next)
}

// InForce is the cap of a slot on duty, all of a slot's cores otherwise.
func (d *duties) InForce(slot int) float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if running := d.mu.slots[slot]; running != nil {
		return running.cap
	}
	return d.cores
}

// run freezes the slot for the part of each period that its cap does not allow. Errors are
// ignored: if the slot cannot be frozen, the controller measures that it is too fast and
// lowers the cap.
func (d *duties) run(ctx context.Context, slot int, own *duty) {
	defer close(own.done)
	tick := time.NewTimer(0)
	defer tick.Stop()
	for on := true; ; on = !on {
		select {
		case <-ctx.Done():
			_ = d.freeze(context.WithoutCancel(ctx), slot, false)
			return
		case <-tick.C:
		}
		_ = d.freeze(ctx, slot, !on)
		tick.Reset(d.share(own, on))
	}
}

// share is how long the slot runs (on), or is frozen, in a period.
func (d *duties) share(own *duty, on bool) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	part := min(max(own.cap, pace.Least)/d.cores, 1)
	if !on {
		part = 1 - part
	}
	return time.Duration(part * float64(DutyPeriod))
}

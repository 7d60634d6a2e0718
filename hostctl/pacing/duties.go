package pacing

import (
	"context"
	"sync"
	"time"

	"lull/hostctl/pace"
)

// Actuator is what makes a cap true. Caps are in cores.
type Actuator interface {
	// Pace caps a slot; 0 lifts the cap.
	Pace(slot int, cores float64) error
	// InForce is the cap that a slot really has.
	InForce(slot int) float64
}

// DutyPeriod is the time in which a slot without a quota is frozen once. Ten of
// them a second are two a sample; shorter ones are eaten up by the freezer, which
// takes up to a millisecond to stop a process.
const DutyPeriod = 100 * time.Millisecond

// duties cap slots by stopping them for a part of each period, where the kernel
// has no quota. It is coarser than a quota: a task of several threads runs with all
// of them or none.
type duties struct {
	cores  float64 // of a slot that is never stopped
	freeze func(ctx context.Context, slot int, on bool) error
	mu     struct {
		sync.Mutex
		slots map[int]*duty
	}
}

// duty is one slot that is stopped again and again.
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

// Pace begins, changes or ends a slot's duty. Once it has returned from ending it,
// the slot goes on.
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

// run stops the slot for what its cap leaves of each period. A slot that cannot be
// stopped just goes on: the controller sees that it is too fast, and asks for less.
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

// share is how long the slot runs, or rests, in the present period.
func (d *duties) share(own *duty, on bool) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	part := min(max(own.cap, pace.Least)/d.cores, 1)
	if !on {
		part = 1 - part
	}
	return time.Duration(part * float64(DutyPeriod))
}

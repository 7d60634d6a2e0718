package guarding

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/cgroup"
	"lull/hostctl/guard"
)

// These are the intervals between looks of the guard: the sooner it must act, the more often it
// looks. Without tasks there is nothing to guard. While the primary is idle, a look finds out
// whether it began to work. After three more looks the guard can know that the budget is exceeded,
// within 150 ms of the onset.
const (
	lookRaised = 10 * time.Millisecond // batch work is raised, and is to get its ration and no more
	lookBoth   = 25 * time.Millisecond // the primary works beside batch
	lookBatch  = 50 * time.Millisecond // batch alone
	lookIdle   = time.Second

	classEvery = time.Second - lookBoth // each turn of a guard that looks once a second
	// These are how long another class is found before it is put back. A shim that kills raises batch work
	// for 50 ms, and the agent of another pool may do so for a quarter of its Ration.After.
	classPatience       = 500 * time.Millisecond
	classPatienceShared = 4 * time.Second
)

// Guardian is the shell of package guard: it samples, asks the core for decisions, and carries out
// what changed. One goroutine runs it.
type Guardian struct {
	cfg        Config
	guard      *guard.Guard
	ration     guard.Ration
	sampler    sampler
	act        actuator
	metrics    *metrics
	raised     bool
	tasks      int           // that run
	idle       atomic.Bool   // there is nothing to guard
	wakeups    chan struct{} // holds a token if the guard is to look now
	restorer   *restorer
	checked    time.Time // when the class of batch work was looked at
	wrongSince time.Time // since when it is not what was set, zero if it is

	mu struct {
		sync.Mutex
		orders     guard.Orders
		starvedFor time.Duration // how long batch work has had no CPU
	}
}

// New returns a guardian that holds nothing back yet. Run it.
func New(c Config) (*Guardian, error) {
	g := &Guardian{cfg: c, wakeups: make(chan struct{}, 1), guard: guard.New(c.Guard), ration: c.Ration}
	g.mu.orders.Cores = c.Cores
	if !c.Caps.Weight.OK() || !c.Caps.CPUTime.OK() {
		g.ration = guard.Ration{} // batch work can be neither raised nor seen to starve
	}
	g.act = newActuator(c.Bounds, c.Cores, c.Freeze, c.Yield, c.Report, c.Logger)
	g.sampler = newSampler(c)
	var err error
	if g.metrics, err = newMetrics(c.Registerer, c.Host); err != nil {
		return nil, err
	}
	g.restorer, err = newRestorer(c, g.metrics.foreign)
	return g, err
}

// Run guards until ctx ends. It leaves batch work as it is to be without a guard: in the
// idle class, with nothing held back.
func (g *Guardian) Run(ctx context.Context) {
	var trigger sync.WaitGroup
	trigger.Go(func() { g.watchPressure(ctx) })
	defer trigger.Wait()
	defer g.sampler.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			g.restorer.end()
			g.act.release(g.cfg.Cores)
			return
		case <-g.wakeups:
		case <-timer.C:
		}
		timer.Reset(g.Turn(time.Now()))
	}
}

// Turn samples, decides and acts once, and returns the time until the next turn.
func (g *Guardian) Turn(now time.Time) time.Duration {
	g.idle.Store(true) // first: a task that begins now is counted here, or wakes the guard
	g.tasks = g.cfg.Tasks()
	g.idle.Store(g.tasks == 0)
	sample, used := g.sampler.takeSample(now, g.tasks, g.raised)
	orders := g.guard.Step(now, sample)
	g.cfg.Watch(now, g.tasks, sample.Ran, sample.Sensed, orders.Yield)
	g.raised = g.ration.Step(now, used, g.sampler.wantsCPU && !orders.Frozen)
	g.checkClass(now)
	g.restorer.start(now)
	changed := g.note(now, orders)
	g.act.apply(orders, g.raised)
	if changed {
		g.logOrders(now, orders)
	}
	g.metrics.show(orders, g.raised, g.ration.Longest())
	return g.pause()
}

// checkClass finds out once a second whether batch work is in the class that it was put into, and
// puts it back if it is not for a while. All agents of a host share the group that has the class. An agent
// that is killed while batch work is raised leaves it raised, and may never be started again. A live agent
// and a shim raise it for moments only.
func (g *Guardian) checkClass(now time.Time) {
	if g.wrongSince.IsZero() && now.Before(g.checked.Add(classEvery)) {
		return
	}
	g.checked = now
	raised, err := g.sampler.gauges.Raised()
	if err != nil || raised == g.act.raised.inForce {
		g.wrongSince = time.Time{}
		return
	}
	if g.wrongSince.IsZero() {
		g.wrongSince = now
	}
	if raised && now.Sub(g.wrongSince) < g.classPatience() {
		return
	}
	if raised {
		g.restorer.note(now, cgroup.Foreign{File: g.sampler.gauges.ClassFile(), Found: "raised", Restored: "background"})
	}
	g.act.raised.inForce = raised // so that it is written again
}

func (g *Guardian) classPatience() time.Duration {
	if g.cfg.Alone() {
		return classPatience
	}
	return classPatienceShared
}

// pause is the time until the next turn.
func (g *Guardian) pause() time.Duration {
	switch {
	case g.raised:
		return lookRaised
	case g.tasks == 0 && g.wrongSince.IsZero():
		return lookIdle
	case g.sampler.sensor == nil:
		return slowInterval // no value changes sooner
	case g.sampler.active:
		return lookBoth
	}
	return lookBatch
}

// requestTurn makes the guard look at once.
func (g *Guardian) requestTurn() {
	select {
	case g.wakeups <- struct{}{}:
	default: // the channel has a notice already
	}
}

// Wake notifies a guard that had nothing to guard that a task begins.
func (g *Guardian) Wake() {
	if g.idle.Load() {
		g.requestTurn()
	}
}

// Due reports whether Wake or the kernel has asked for a look that has not begun.
func (g *Guardian) Due() bool { return len(g.wakeups) > 0 }

// Frozen returns the report with which each new term of the host's actor starts.
func (g *Guardian) Frozen() actor.Guarded {
	g.mu.Lock()
	defer g.mu.Unlock()
	return actor.Guarded{Frozen: g.mu.orders.Frozen, Why: g.mu.orders.Why}
}

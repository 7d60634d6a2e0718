package hostctl

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// How often the guard looks: oftener, the sooner it must act. With nothing to guard
// it may sleep. While the primary rests a look finds out whether it began to work;
// three more and the budget can be known to be broken, within 150 ms of the onset.
const (
	lookRaised = 10 * time.Millisecond // batch work is raised, and shall have its ration and no more
	lookBoth   = 25 * time.Millisecond // the primary works beside batch
	lookBatch  = 50 * time.Millisecond // batch alone
	lookIdle   = time.Second

	classEvery    = time.Second - lookBoth // each turn of one who looks once a second
	classPatience = 5                      // such looks
)

// guardian is the shell of package guard: it looks, lets the core decide, and
// carries out what changed. One goroutine runs it.
type guardian struct {
	agent   *Agent
	guard   *guard.Guard
	ration  guard.Ration
	eyes    eyes
	hands   hands
	gauges  *guardGauges
	raised  bool
	running []*run        // reused
	tasks   int           // that run, those too of an earlier agent that the log has not named
	resting atomic.Bool   // there is nothing to guard
	nudged  chan struct{} // something presses: look now
	checked time.Time     // when the class of batch work was looked at
	strange int           // looks in a row that found another than was set

	mu struct {
		sync.Mutex
		orders guard.Orders
		hungry time.Duration // how long batch work stands still
	}
}

func newGuardian(a *Agent) (*guardian, error) {
	g := &guardian{agent: a, nudged: make(chan struct{}, 1)}
	g.guard = guard.New(a.guardConfig())
	g.mu.orders.Cores = int(a.cores())
	g.ration = guard.Ration{After: max(a.cfg.StarveAfter, 0), Run: max(a.cfg.StarveRun, 0)}
	if !a.caps.Weight.OK() || !a.caps.CPUTime.OK() {
		g.ration = guard.Ration{} // it can be neither raised nor seen to starve
	}
	g.hands = newHands(a)
	g.eyes = newEyes(a)
	var err error
	g.gauges, err = newGuardGauges(a.cfg.Registerer, a.cfg.Host)
	return g, err
}

func (a *Agent) guardConfig() guard.Config {
	return guard.Config{
		Cores: runtime.NumCPU(), Fewer: a.caps.Cores.OK(), Cap: a.caps.Cap.OK(), Budget: max(a.cfg.GuardBudget, 0),
		Reserve: a.cfg.ReserveMemory, Disk: a.caps.DiskCap.OK() && a.caps.Pressure.OK(),
	}
}

// run guards until ctx ends, and leaves batch work as it is to be without a
// guard: in the idle class, with nothing held back.
func (g *guardian) run(ctx context.Context) {
	var trigger sync.WaitGroup
	trigger.Go(func() { g.watchPressure(ctx) })
	defer trigger.Wait()
	defer g.eyes.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			g.hands.release(int(g.agent.cores()))
			return
		case <-g.nudged:
		case <-timer.C:
		}
		timer.Reset(g.turn(time.Now()))
	}
}

// turn looks, decides and acts once, and returns the time until the next turn.
func (g *guardian) turn(now time.Time) time.Duration {
	g.resting.Store(true) // first: a task that begins now is seen here, or wakes the guard
	g.running = g.agent.running(g.running[:0])
	g.tasks = len(g.running) + g.agent.unclaimed()
	g.resting.Store(g.tasks == 0)
	sample, used := g.eyes.look(now, g.tasks, g.raised)
	orders := g.guard.Step(now, sample)
	g.agent.spread.attend(now, g.tasks, sample.Ran, sample.Sensed, orders.Yield)
	g.raised = g.ration.Step(now, used, g.eyes.wants && !orders.Frozen)
	g.checkClass(now)
	changed := g.note(now, orders)
	g.hands.carry(orders, g.raised)
	if changed {
		g.tell(now, orders)
	}
	g.gauges.show(orders, g.raised, g.ration.Longest())
	return g.pause()
}

// checkClass finds out once a second whether batch work is in the class that it was put
// into. All agents of a host share the group that has it: one that was killed while batch was
// raised leaves it so, and if nobody starts that one again, nobody else puts it right. Who
// lives raises it for moments, and is let.
func (g *guardian) checkClass(now time.Time) {
	if now.Before(g.checked.Add(classEvery)) {
		return
	}
	g.checked = now
	raised, err := g.eyes.gauges.Raised()
	if err != nil || raised == g.hands.raised.in {
		g.strange = 0
		return
	}
	if g.strange++; raised && g.strange < classPatience {
		return
	}
	if raised {
		g.hands.log.Warn("guard: batch work was raised and left so, by another agent or by hand; it goes back to the background")
	}
	g.hands.raised.in = raised // and is written anew
}

// pause is the time until the next turn.
func (g *guardian) pause() time.Duration {
	switch {
	case g.raised:
		return lookRaised
	case g.tasks == 0:
		return lookIdle
	case g.eyes.sensor == nil:
		return slowly // nothing that is looked at changes sooner
	case g.eyes.active:
		return lookBoth
	}
	return lookBatch
}

// nudge makes the guard look at once.
func (g *guardian) nudge() { notify(g.nudged) }

// wake ends the rest of a guard that had nothing to do.
func (g *guardian) wake() {
	if g.resting.Load() {
		g.nudge()
	}
}

// frozen is what the host's actor is to know, in a new term too.
func (g *guardian) frozen() actor.Guarded {
	g.mu.Lock()
	defer g.mu.Unlock()
	return actor.Guarded{Frozen: g.mu.orders.Frozen, Why: g.mu.orders.Why}
}

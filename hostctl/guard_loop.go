package hostctl

import (
	"context"
	"runtime"
	"sync"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
)

// How often the guard looks. Between two looks while the primary works beside
// batch, the budget can be broken unseen; with nothing to guard it may sleep.
const (
	lookRaised = 10 * time.Millisecond  // batch work is raised, and shall have its ration and no more
	lookBoth   = 25 * time.Millisecond  // the primary works beside batch
	lookBatch  = 100 * time.Millisecond // batch alone
	lookIdle   = time.Second
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
	running []*run        // reused
	nudged  chan struct{} // something presses: look now

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
	var err error
	if g.eyes, err = newEyes(a); err != nil {
		return nil, err
	}
	g.gauges, err = newGuardGauges(a.cfg.Registerer, a.cfg.Host)
	return g, err
}

func (a *Agent) guardConfig() guard.Config {
	return guard.Config{
		Cores: runtime.NumCPU(), Fewer: a.caps.Cores.OK(), Budget: max(a.cfg.GuardBudget, 0),
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
	g.running = g.agent.running(g.running[:0])
	sample, used := g.eyes.look(now, len(g.running))
	g.agent.spread.attend(now, len(g.running), sample.Ran, sample.Sensed)
	orders := g.guard.Step(now, sample)
	raised := g.ration.Step(now, used, g.eyes.wants && !orders.Frozen)
	g.tell(now, orders)
	g.hands.carry(orders, raised)
	g.gauges.show(orders, raised, g.ration.Longest())
	switch {
	case raised:
		return lookRaised
	case len(g.running) > 0 && g.eyes.active:
		return lookBoth
	case len(g.running) > 0:
		return lookBatch
	}
	return lookIdle
}

// nudge makes the guard look at once.
func (g *guardian) nudge() { notify(g.nudged) }

// frozen is what the host's actor is to know, in a new term too.
func (g *guardian) frozen() actor.Guarded {
	g.mu.Lock()
	defer g.mu.Unlock()
	return actor.Guarded{Frozen: g.mu.orders.Frozen, Why: g.mu.orders.Why}
}

package sim

import (
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/guard"
	"lull/slotter"
	"lull/subjects"
)

// Waits returns how long a primary's threads wait for a CPU while batch work has one, in seconds
// per second, given the cores that the primary and batch work use. It must not change with time.
type Waits func(primary, batch float64) float64

// The interval at which the guard of a simulated host measures, with tasks beside the primary and without:
// see package hostctl.
const (
	measureEvery     = 25 * time.Millisecond
	measureIdleEvery = time.Second
)

// yieldedCores is the number of cores that a slot keeps while batch work yields: see package hostctl.
const yieldedCores = 0.01

// guardian is the shell of package guard on a simulated host that has Waits. Memory and disks are
// not simulated. On other hosts nothing is measured, so no guard runs.
type guardian struct {
	h            *host
	guard        *guard.Guard
	orders       guard.Orders
	waits        guard.Waits
	measureTimer timer
}

func (g *guardian) begin(h *host) {
	g.h = h
	g.measureTimer.do = g.turn
	g.release()
}

// release holds nothing back, as an agent does when it starts and a kernel when it boots.
func (g *guardian) release() {
	h := g.h
	g.guard = guard.New(guard.Config{Cores: int(h.Cores), Fewer: true, Cap: true, Budget: guard.DefaultBudget})
	g.orders = guard.Orders{Cores: int(h.Cores)}
}

// restart takes back what was ordered: an agent does so when it ends in order, and at its
// start if the last one did not.
func (g *guardian) restart() {
	if g.h.Waits == nil {
		return
	}
	g.h.settle()
	g.release()
	g.h.updateSpeeds()
	g.wake()
}

// wake makes the guard measure now, because a task has begun.
func (g *guardian) wake() {
	if g.h.Waits != nil && g.h.agent.up {
		g.h.w.armEarlier(&g.measureTimer, g.h.w.now)
	}
}

// addWaits counts what the primary ran and waited in a time in which nothing changed.
func (g *guardian) addWaits(d time.Duration) {
	if g.h.Waits != nil {
		g.waits = g.after(d)
	}
}

// after returns the counters after a further time d without changes.
func (g *guardian) after(d time.Duration) guard.Waits {
	primary, seconds := g.h.primary.cores, d.Seconds()
	return guard.Waits{
		Ran:     g.waits.Ran + primary*seconds,
		Delayed: g.waits.Delayed + g.h.Waits(primary, g.h.usedCores())*seconds,
	}
}

// turn measures, decides and acts once. It comes again unless the agent is down, or no task runs
// and nothing is held back.
func (g *guardian) turn() {
	h := g.h
	if !h.agent.up {
		return
	}
	tasks := h.running()
	sample := guard.Sample{Tasks: tasks, Sensed: true, Waits: g.after(h.w.now - h.at)}
	orders := g.guard.Step(time.Unix(0, 0).Add(h.w.now), sample)
	g.apply(orders)
	switch {
	case tasks > 0:
		h.w.arm(&g.measureTimer, h.w.now+measureEvery)
	case !orders.Steady(guard.Orders{Cores: int(h.Cores)}):
		h.w.arm(&g.measureTimer, h.w.now+measureIdleEvery)
	}
}

// apply applies the orders to batch work and reports them to the agent's actor.
func (g *guardian) apply(o guard.Orders) {
	last := g.orders
	if o.Steady(last) && o.Yield == last.Yield {
		g.orders = o
	} else {
		g.h.settle()
		g.orders = o
		g.h.updateSpeeds()
	}
	if o.Frozen != last.Frozen {
		g.h.agent.report(actor.Guarded{Frozen: o.Frozen, Why: o.Why})
	}
	if among := g.h.w.movable(g.h.Name, o.Evict); len(among) > 0 {
		g.h.agent.report(actor.Relieve{Among: among, Why: o.EvictReason})
	}
}

// movable is what the slotter that leads answers to a host that wants to end a task for want of
// CPU: its attempts that another host could run now.
func (w *World) movable(host string, wanted bool) []uint64 {
	var answer subjects.RoomAnswer
	for _, r := range w.services {
		a, ok := r.actor.(*slotter.Actor)
		if !wanted || !ok || !r.up || !r.core.Leading() {
			continue
		}
		ask, err := subjects.Marshal(&subjects.RoomAsk{Host: host})
		if err != nil || subjects.Unmarshal(a.Answer(subjects.AskRoom, ask), &answer) != nil {
			return nil
		}
	}
	return answer.Attempts
}

// availableCores returns how many of the idle cores batch work may use on its busy slots.
func (g *guardian) availableCores(idle float64, busy int) float64 {
	switch {
	case g.orders.Frozen:
		return 0
	case g.orders.Yield:
		return min(idle, yieldedCores*float64(busy))
	}
	return min(idle, float64(g.orders.Cores))
}

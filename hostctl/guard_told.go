package hostctl

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/hostctl/guard"
)

// Guarded returns the cores that batch work may use, why they are fewer than all
// or what else is held back ("" if nothing is), and the budget: for how many
// seconds the primary may wait because of batch work, per CPU second of its own.
func (a *Agent) Guarded() (cores float64, why string, budget float64) {
	full := ""
	if a.full() {
		full = "the disk is full, no task starts"
	}
	g := a.guardian
	g.mu.Lock()
	defer g.mu.Unlock()
	budget = max(a.cfg.GuardBudget, 0)
	if cores = float64(g.mu.orders.Cores); g.mu.orders.Frozen {
		cores = 0
	}
	why = g.mu.orders.Why
	if g.mu.orders.Yield {
		cores, why = 0, join(why, "the primary has every core")
	}
	if g.mu.hungry >= lookIdle {
		why = join(why, fmt.Sprintf("batch has had no CPU for %.1f s", g.mu.hungry.Seconds()))
	}
	return cores, join(full, why), budget
}

// join is the reasons that there are.
func join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}

// note keeps what holds from now on for others to see, and reports whether it
// changed. It comes before what is carried out: a new term of the actor, which asks
// for it, must not miss what the old one was told.
func (g *guardian) note(now time.Time, orders guard.Orders) (changed bool) {
	hungry := time.Duration(0)
	if g.eyes.wants && !orders.Frozen {
		hungry = g.ration.Waiting(now)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	changed = !orders.Steady(g.mu.orders)
	g.mu.orders, g.mu.hungry = orders, hungry
	return changed
}

// tell logs what was carried out, and how long that took since the look that gave
// the reason.
func (g *guardian) tell(noticed time.Time, orders guard.Orders) {
	log := g.agent.cfg.Logger
	if orders.Why == "" {
		log.Info("guard: batch work has all of the host again", "took", time.Since(noticed))
		return
	}
	log.Info("guard: batch work is held back: "+orders.Why, "to", orders.Why, "took", time.Since(noticed))
}

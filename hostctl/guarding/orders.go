package guarding

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lull/hostctl/guard"
)

// Allowed returns the cores that batch work may use, and why they are fewer than all or what else is
// held back. The reason is "" if nothing is.
func (g *Guardian) Allowed() (cores float64, why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if cores = float64(g.mu.orders.Cores); g.mu.orders.Frozen {
		cores = 0
	}
	why = g.mu.orders.Why
	if g.mu.orders.Yield {
		cores, why = 0, Join(why, "the primary uses every core now")
	}
	if g.mu.starvedFor >= lookIdle {
		why = Join(why, fmt.Sprintf("batch has had no CPU for %.1f s", g.mu.starvedFor.Seconds()))
	}
	return cores, why
}

// Join puts the reasons that are not empty into one text.
func Join(reasons ...string) string {
	return strings.Join(slices.DeleteFunc(reasons, func(r string) bool { return r == "" }), "; ")
}

// note keeps the newest orders for Allowed and Frozen, and reports whether they changed. It runs
// before the orders are carried out: a new term of the actor asks for them, and must not miss a
// report that the old term got.
func (g *Guardian) note(now time.Time, orders guard.Orders) (changed bool) {
	starvedFor := time.Duration(0)
	if g.sampler.wantsCPU && !orders.Frozen {
		starvedFor = g.ration.Waiting(now)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	changed = !orders.Steady(g.mu.orders)
	g.mu.orders, g.mu.starvedFor = orders, starvedFor
	return changed
}

// logOrders logs what was carried out, and the time since the sample that gave the reason.
func (g *Guardian) logOrders(noticed time.Time, orders guard.Orders) {
	log := g.cfg.Logger
	if orders.Why == "" {
		log.Info("guard: batch work has all of the host again", "took", time.Since(noticed))
		return
	}
	log.Info("guard: batch work is held back: "+orders.Why, "to", orders.Why, "took", time.Since(noticed))
}

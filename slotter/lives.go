package slotter

import (
	"slices"

	"lull/slotter/facts"
	"lull/slotter/tenants"
	"lull/subjects"
	"lull/subjects/ledger"
)

// forgetHosts drops what the ledger has forgotten: the hosts are those of the ledger, by
// name, also in snapshots.
func (a *Actor) forgetHosts() {
	a.facts.Hosts.ByName = slices.DeleteFunc(a.facts.Hosts.ByName, func(h *facts.Host) bool {
		over := a.facts.Ledger.Host(h.Life.Name) != h.Life
		if over {
			a.reconciler.Forget(h)
			a.steerer.StayOdds.Drop(h)
			delete(a.facts.Hosts.Of, h.Life.Name)
			a.facts.DataNodes.DropHost(h.Life)
		}
		return over
	})
	a.facts.Hosts.Touched = slices.DeleteFunc(a.facts.Hosts.Touched, func(h *facts.Host) bool { return a.facts.Hosts.Of[h.Life.Name] != h })
}

// joined begins a host's new incarnation: the beats of the last one no longer count.
func (a *Actor) joined(life *ledger.Host) {
	h := a.facts.Hosts.Get(life)
	if len(a.facts.Hosts.ByName) > len(a.facts.Ledger.Hosts()) {
		a.forgetHosts()
	}
	h.BeatAt, h.StartsNothing, h.ReserveBroken, h.Saved = 0, false, false, nil
	a.facts.Absent.ForgetHost(life.Name)
	a.reconciler.Forget(h)
	a.facts.Hosts.Touch(h)
	h.Class = tenants.Class(a.facts, life)
	a.facts.Due.Unwanted = true
}

// noteLead notes which service leads.
func (a *Actor) noteLead(e *subjects.Led) {
	switch e.Actor {
	case Name:
		a.facts.Led = a.facts.Ledger.Now()
	case string(subjects.RolePlacer):
		a.placing.NotePlacer()
	}
}

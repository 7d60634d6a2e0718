package slotter

import (
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
)

// forgetHosts drops what the ledger has forgotten: the hosts are those of the ledger, by
// name, also in snapshots.
func (a *Actor) forgetHosts() {
	a.facts.hosts.byName = slices.DeleteFunc(a.facts.hosts.byName, func(h *host) bool {
		over := a.facts.state.Host(h.life.Name) != h.life
		if over {
			a.reconciler.forget(h)
			a.steerer.survivals.drop(h)
			delete(a.facts.hosts.of, h.life.Name)
			a.facts.dataNodes.DropHost(h.life)
		}
		return over
	})
	a.facts.hosts.touched = slices.DeleteFunc(a.facts.hosts.touched, func(h *host) bool { return a.facts.hosts.of[h.life.Name] != h })
}

// joined begins a host's new incarnation: the beats of the last one no longer count.
func (a *Actor) joined(life *ledger.Host) {
	h := a.facts.hosts.get(life)
	if len(a.facts.hosts.byName) > len(a.facts.state.Hosts()) {
		a.forgetHosts()
	}
	h.beatAt, h.held, h.broken, h.saved = 0, false, false, nil
	a.facts.absent.Joined(life.Name)
	a.reconciler.forget(h)
	a.facts.hosts.mark(h)
	h.class = classOf(a.facts, life)
	a.facts.due.unwanted = true
}

// noteLead notes which service leads.
func (a *Actor) noteLead(e *subjects.Led) {
	switch e.Actor {
	case Name:
		a.facts.led = a.facts.state.Now()
	case string(subjects.RolePlacer):
		a.placing.noteHeard()
	}
}

package sim

import (
	"time"

	"lull/actors"
	"lull/admission"
	"lull/placer"
	"lull/placer/choice"
	"lull/slotter"
)

// addPlacers makes the replicas of the placer.
func (w *World) addPlacers() {
	role := placer.Role(w.pool(), slotter.Role(w.pool()), admission.Role(w.pool()))
	for i := range w.Placers {
		r := w.role(role, func() (actors.Actor, error) { return placer.New(placer.Config{}), nil })
		p := w.addService(r, i, &machine{w: w})
		p.role.perform = func(action actors.Action) { p.choose(action) }
	}
}

// searchTime is how long a placer takes to choose.
const searchTime = 50 * time.Millisecond

// choose makes a placer's choice, as its shell does.
func (r *replica) choose(action actors.Action) {
	life := r.life
	search, ok := action.(placer.Search)
	if !ok {
		return
	}
	r.w.after(searchTime+r.latency(), func() {
		if r.life == life {
			r.report(placer.Perform(search, choice.InTurn))
		}
	})
}

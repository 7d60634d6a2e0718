package sim

import (
	"cmp"
	"errors"
	"fmt"

	"lull/actors"
	"lull/admission"
	"lull/placer"
	"lull/slotter"
	"lull/subjects"
)

// addServices makes the replicas of admission, slotter, classifier and placer. The admission and the slotter of
// the same number share a machine. Errors are about their configurations.
func (w *World) addServices() error {
	_, judge := admission.New(w.Admission)
	_, slots := slotter.New(w.Slotter)
	for i := range w.Replicas {
		m := &machine{w: w}
		w.addService(w.role(admission.Role(w.pool()), func() (actors.Actor, error) { return admission.New(w.Admission) }), i, m)
		slots := w.role(slotter.Role(w.pool()), func() (actors.Actor, error) { return slotter.New(w.Slotter) })
		slots.perform = func(actors.Action) {} // a slotter's actions only inform people
		w.addService(slots, i, m)
	}
	w.addClassifiers()
	w.addPlacers()
	return errors.Join(judge, slots)
}

// role adapts a service's role to the scenario. It takes no snapshots by time, which change no decision.
func (w *World) role(r actors.Role, newActor func() (actors.Actor, error)) role {
	r.SnapshotEvery, r.Keep = cmp.Or(w.SnapshotEvery, r.SnapshotEvery), cmp.Or(w.Keep, r.Keep)
	r.SnapshotAfter = 0
	return role{Role: r, make: newActor, claim: func(instance string) subjects.Event {
		return &subjects.Led{Actor: r.Name, Partition: r.Partition, Instance: instance, Format: w.format()}
	}}
}

func (w *World) addService(r role, i int, m *machine) *replica {
	p := w.newReplica(r, fmt.Sprintf("%s/%d", r.Name, i), m)
	w.services = append(w.services, p)
	w.after(p.latency(), p.start)
	return p
}

// publishTelemetry passes a host's telemetry on to the services that listen to it.
func (w *World) publishTelemetry(t subjects.Telemetry, host string) {
	_, beat := t.(*subjects.Beat)
	for _, r := range w.services {
		if r.Name == slotter.Name || !beat && (r.Name == admission.Name || r.Name == placer.Name) {
			r.sample(t, host)
		}
	}
}

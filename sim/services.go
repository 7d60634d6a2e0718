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

// addServices makes the replicas of admission, slotter and classifier and placer. An admission and a slotter of
// one number share a machine. The error is what they say of their configuration.
func (w *World) addServices() error {
	_, judge := admission.New(w.Admission)
	_, slots := slotter.New(w.Slotter)
	for i := range w.Replicas {
		m := &machine{w: w}
		w.addService(w.role(admission.Role(w.pool()), func() (actors.Actor, error) { return admission.New(w.Admission) }), i, m)
		slots := w.role(slotter.Role(w.pool()), func() (actors.Actor, error) { return slotter.New(w.Slotter) })
		slots.perform = func(actors.Action) {} // what a slotter does is talk to people
		w.addService(slots, i, m)
	}
	w.addClassifiers()
	w.addPlacers()
	return errors.Join(judge, slots)
}

// role is a service's, as the scenario wants it. Snapshots after a time change no decision
// and are left out.
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

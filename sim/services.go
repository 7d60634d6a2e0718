package sim

import (
	"errors"
	"fmt"
	"time"

	"lull/actors"
	"lull/admission"
	"lull/slotter"
	"lull/subjects"
)

// How lull serves its deciders: see cmd/lull/serve.
const (
	serviceLease  = 4 * time.Second
	serviceEvery  = 50_000
	serviceKeep   = 200_000
	hostSnapshots = 10_000
)

// addServices makes the replicas of admission and slotter. Those of one number
// share a machine. The error is what they say of their configuration.
func (w *World) addServices() error {
	_, judge := admission.New(w.Admission)
	_, slots := slotter.New(w.Slotter)
	for i := range w.Replicas {
		m := &machine{w: w}
		w.addService(w.role(admission.Name, admission.Version, func() (actors.Actor, error) { return admission.New(w.Admission) }), i, m)
		slots := w.role(slotter.Name, slotter.Version, func() (actors.Actor, error) { return slotter.New(w.Slotter) })
		slots.trimmer, slots.awaits = true, []string{admission.Name + ".all"}
		slots.perform = func(actors.Action) {} // what a slotter does is talk to people
		w.addService(slots, i, m)
	}
	return errors.Join(judge, slots)
}

func (w *World) role(name string, version int, make func() (actors.Actor, error)) role {
	const all = "all"
	return role{
		name: name, partition: all, led: w.pool().Led(name, all), version: version, make: make,
		lease: serviceLease, snapshotEvery: w.SnapshotEvery, keep: w.Keep,
		claim: func(instance string) subjects.Event {
			return &subjects.Led{Actor: name, Partition: all, Instance: instance}
		},
	}
}

func (w *World) addService(r role, i int, m *machine) {
	p := w.newReplica(r, fmt.Sprintf("%s/%d", r.name, i), m)
	w.services = append(w.services, p)
	w.after(p.latency(), p.start)
}

// tell passes a host's telemetry on to the services that listen to it.
func (w *World) tell(t subjects.Telemetry, host string) {
	_, beat := t.(*subjects.Beat)
	for _, r := range w.services {
		if !beat || r.name == slotter.Name {
			r.sample(t, host)
		}
	}
}

package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"lull/actors"
	"lull/actors/core"
	"lull/subjects"
)

// role is what the replicas of one partition have in common: what a service
// gives to its shell.
type role struct {
	actors.Role
	make    func() (actors.Actor, error)
	claim   func(instance string) subjects.Event
	perform func(actors.Action)
	born    func() // called after each start: an agent's first reports
}

// ofHost reports whether it folds the entries about one host, not the whole log.
func (r *role) ofHost() bool { return r.Filter != "" }

// replica is one process with an actor: the core of its runtime, and a shell that performs
// the core's effects in virtual time. A crash loses its volatileState.
type replica struct {
	role
	w       *World
	process string // "slotter/0"
	machine *machine
	net     *rand.Rand

	life int // counts starts and crashes, so that what an earlier life waits for is ignored
	up   bool
	volatileState

	readTimer, sampleTimer, reportTimer, alarm, renewal timer
}

// volatileState is a replica's memory, which a crash loses.
type volatileState struct {
	actor    actors.Actor
	core     *core.Core
	instance string
	cursor   int  // next of the host's entries
	inside   bool // the actor's actions are being carried out
	inbox    inbox
	samples  []subjects.Telemetry
	reports  []any
}

func (w *World) newReplica(r role, process string, m *machine) *replica {
	p := &replica{role: r, w: w, process: process, machine: m, net: stream(w.Seed, "net "+process)}
	p.readTimer.do, p.sampleTimer.do, p.reportTimer.do = p.read, p.stepSamples, p.stepReports
	p.alarm.do, p.renewal.do = p.ring, p.renew
	w.readers.add(p)
	return p
}

// latency draws the time of one way through the network: half a millisecond, and a random time of half
// a millisecond on average.
func (r *replica) latency() time.Duration {
	return time.Millisecond/2 + time.Duration(r.net.ExpFloat64()*float64(time.Millisecond/2))
}

// moment returns the time by the replica's machine. It is negative before the scenario begins, so that
// no term is claimed yet.
func (r *replica) moment() core.Moment {
	return core.Moment{Elapsed: r.machine.elapsed(), Wall: r.machine.now()}
}

// start makes a new memory, restores it and begins to read. On a replica that is up it does
// nothing.
func (r *replica) start() {
	if r.up {
		return
	}
	actor, err := r.make()
	if err != nil {
		r.fail(err)
		return
	}
	r.life++
	r.up, r.volatileState = true, volatileState{actor: actor, instance: fmt.Sprintf("%s-%d", r.process, r.life)}
	r.core = core.New(core.Config{Role: r.Role, Pool: r.w.pool(), Instance: r.instance, Actor: actor, Claim: r.claim})
	if err := r.restore(); err != nil {
		r.fail(err)
		return
	}
	if r.Lease > 0 {
		r.w.arm(&r.renewal, r.w.now)
	}
	if r.born != nil {
		r.born()
	}
	r.w.readers.follow(r)
	r.turn()
}

// restore loads the last snapshot, or leaves the actor as it is.
func (r *replica) restore() error {
	log := core.Log{LogInfo: r.w.bus.log.info()}
	for _, place := range r.Places() {
		snap, err := r.w.bus.load(place.Name)
		if errors.Is(err, actors.ErrNoSnapshot) {
			continue
		}
		if err != nil {
			return err
		}
		unused, err := r.core.Restore(log, place, snap)
		if err != nil {
			return err
		}
		if unused == "" {
			break
		}
	}
	if !r.core.Begin(r.moment(), log) {
		return r.core.Unreached(log, nil)
	}
	return nil
}

// crash ends the replica as if its machine had lost power.
func (r *replica) crash() {
	r.up, r.volatileState = false, volatileState{}
	r.life++
	for _, t := range []*timer{&r.readTimer, &r.sampleTimer, &r.reportTimer, &r.alarm, &r.renewal} {
		r.w.disarm(t)
	}
}

// crashFor crashes, and starts again after a time: a second if down is 0.
func (r *replica) crashFor(down time.Duration) {
	if down == 0 {
		down = time.Second
	}
	r.crash()
	r.w.after(down, r.start)
}

// stop ends the replica in order, as a shell does: the lease is given
// back, and a snapshot is saved if one is due.
func (r *replica) stop() {
	if !r.up {
		return
	}
	if r.Lease > 0 {
		r.w.bus.release(r.Owner(), r.instance)
	}
	if snap, due, err := r.core.Last(r.moment()); due && err == nil {
		r.w.bus.save(r.SnapshotName(), snap)
	}
	r.crash()
}

// fail ends the run: a shell would end its process with this error.
func (r *replica) fail(err error) {
	if r.w.failure == nil {
		r.w.failure = fmt.Errorf("%s at %v: %w", r.process, r.w.now, err)
	}
	r.crash()
}

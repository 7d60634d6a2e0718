package sim

import (
	"fmt"
	"math/rand/v2"
	"time"

	"lull/actors"
	"lull/subjects"
)

// role is what the replicas of one partition have in common: what a service
// gives to actors.Config.
type role struct {
	name, partition string
	led             string // subject of what claim makes
	host            string // whose facts it folds, "" for all
	version         int
	anywhere        bool // see actors.Config.Anywhere
	lease           time.Duration
	snapshotEvery   uint64
	keep            uint64
	trimmer         bool
	awaits          []string

	make    func() (actors.Actor, error)
	claim   func(instance string) subjects.Event
	perform func(actors.Action)
	born    func() // a new memory is there: what an agent reports first
}

// snapshot is the name under which its snapshots and its lease are kept.
func (r *role) snapshot() string { return r.name + "." + r.partition }

// replica is one process with an actor: actors.Shell in virtual time, rule for
// rule, without its goroutines. What a crash takes away is in mind.
type replica struct {
	role
	w       *World
	who     string // "slotter/0"
	machine *machine
	net     *rand.Rand

	life int // counts the starts: what an earlier life waits for comes to nothing
	up   bool
	mind

	reader, courier, post, alarm, renewal timer
}

// mind is what a replica knows.
type mind struct {
	actor    actors.Actor
	instance string
	clock    clock
	seq      uint64 // last entry folded
	cursor   int    // next of the host's entries
	behind   uint64 // entries that waited behind the last one
	stirred  bool   // something happened since the last decision
	inside   bool   // a step is being taken
	wake     time.Time
	tenure   tenure
	flight   *flight
	hold     hold
	inbox    inbox
	saver    saver
	samples  []subjects.Telemetry
	reports  []any
}

func (w *World) newReplica(r role, who string, m *machine) *replica {
	p := &replica{role: r, w: w, who: who, machine: m, net: stream(w.Seed, "net "+who)}
	p.reader.do, p.courier.do, p.post.do = p.read, p.hear, p.pump
	p.alarm.do, p.renewal.do = p.ring, p.renew
	w.readers.add(p)
	return p
}

// latency is one way through the network: half a millisecond, and as much
// again on average that nobody can foresee.
func (r *replica) latency() time.Duration {
	return time.Millisecond/2 + time.Duration(r.net.ExpFloat64()*float64(time.Millisecond/2))
}

// start makes a new memory, restores it and lets it read. On a replica that is
// up it does nothing.
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
	r.up, r.mind = true, mind{actor: actor, instance: fmt.Sprintf("%s-%d", r.who, r.life)}
	r.clock.machine = r.machine
	if err := r.restore(); err != nil {
		r.fail(err)
		return
	}
	if r.lease == 0 {
		r.tenure.held = true
	} else {
		r.w.arm(&r.renewal, r.w.now)
	}
	if r.born != nil {
		r.born()
	}
	r.w.readers.follow(r)
	r.turn()
}

// crash ends the replica as if its machine had lost power.
func (r *replica) crash() {
	r.up, r.mind = false, mind{}
	r.life++
	for _, t := range []*timer{&r.reader, &r.courier, &r.post, &r.alarm, &r.renewal} {
		r.w.disarm(t)
	}
}

// crashFor crashes, and starts again.
func (r *replica) crashFor(down time.Duration) {
	if down == 0 {
		down = time.Second
	}
	r.crash()
	r.w.after(down, r.start)
}

// stop ends the replica in order, as actors.Shell does: the lease is given
// back and what a restart would have to fold is saved.
func (r *replica) stop() {
	if !r.up {
		return
	}
	if r.lease > 0 {
		r.w.bus.release(r.snapshot(), r.instance)
	}
	if r.savable() {
		if snap, err := r.take(); err == nil {
			r.w.bus.save(r.snapshot(), snap)
		}
	}
	r.crash()
}

// fail ends the run: a shell would end its process with this error.
func (r *replica) fail(err error) {
	if r.w.failure == nil {
		r.w.failure = fmt.Errorf("%s at %v: %w", r.who, r.w.now, err)
	}
	r.crash()
}

package slotter

import (
	"time"

	"lull/actors"
	"lull/slotter/learning"
	"lull/slotter/pacing"
	"lull/subjects"
	"lull/subjects/ledger"
)

// Name is the actor's name in leases, terms and snapshots.
const Name = "slotter"

// Version of snapshots: the ledger's version and that of the slotter's own section.
const Version = ledger.Version<<8 | ownVersion

// Reads lists the earlier versions of snapshots that Restore reads.
var Reads = []int{ledger.Unsectioned, 8<<8 | 4, 9<<8 | 4, 9<<8 | 5}

// Actor is the pure half of the service. Make it with New.
type Actor struct {
	facts      *facts
	liveness   *liveness
	endings    *endings
	placing    *placing
	reconciler *reconciler

	backlog *backlog
	tracker *tracker
	models  *learning.Models
	pacer   *pacing.Pacer

	steerer    *steerer
	preemption *preemption
	assigner   *assigner

	tickAt int64 // next tick
}

var (
	_ actors.Actor    = (*Actor)(nil)
	_ actors.Answerer = (*Actor)(nil)
	_ actors.Traced   = (*Actor)(nil)
)

// New returns the slotter of an empty log.
func New(cfg Config) (*Actor, error) {
	cfg.fill()
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	a := &Actor{}
	a.reset(cfg, ledger.New())
	return a, nil
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.facts.state }

// Step folds one input and decides.
func (a *Actor) Step(in actors.Input) actors.Output {
	a.setTime(in.Now.UnixNano())
	switch {
	case in.Entry != nil:
		a.fold(in.Entry)
	case in.Sample != nil:
		a.handleSample(in.Sample)
	}
	var out actors.Output
	if in.Decide {
		out.Events = a.decide()
		out.Actions = append(a.liveness.report(), a.models.Report(a.facts.state)...)
	}
	out.Wake = a.wake()
	return out
}

// decide collects what the state calls for. What ends comes before what
// begins, so that a batch that is full leaves the assignments to the next.
func (a *Actor) decide() []subjects.Event {
	b := &batch{}
	a.tick(b)
	a.endings.decide(b)
	a.reconciler.decide(b)
	a.endings.reopen(b)
	if !a.facts.state.Paused && !a.liveness.suspects() {
		a.steerer.decide(b)
		a.assigner.decide(b)
	}
	for _, e := range a.pacer.Decide(a.facts.now, a.mayPace(), b.room()) {
		b.add(e)
	}
	if a.facts.cfg.Models != ModelsFixed {
		// Last: what follows models in the log was decided with them.
		for _, e := range a.models.Decide(a.facts.state, a.facts.curves, b.room()) {
			b.add(e)
		}
	}
	return b.events
}

// leastTick is how often silence is measured: as often as hosts beat.
const leastTick = int64(time.Second)

// tickEvery is the same for the silence that is configured.
func (a *Actor) tickEvery() int64 { return max(leastTick, int64(a.facts.cfg.Silence)/60) }

// tick declares silent hosts lost, once a second. It also has everything that is cheap
// looked at again, so that no decision depends on a single mark.
func (a *Actor) tick(b *batch) {
	if a.facts.now < a.tickAt {
		return
	}
	a.tickAt = a.facts.now + a.tickEvery()
	a.facts.due.unwanted, a.facts.due.endings = true, true
	a.backlog.promoteOldest()
	a.liveness.decide(b)
}

// wake is the next time at which something may be due without an input. What
// is due already waits for something else, not for time.
func (a *Actor) wake() time.Time {
	at := a.facts.now + a.tickEvery()
	if a.tickAt > a.facts.now {
		at = min(at, a.tickAt)
	}
	if a.facts.backoff > a.facts.now {
		at = min(at, a.facts.backoff)
	}
	if a.facts.lookAt > a.facts.now {
		at = min(at, a.facts.lookAt)
	}
	return time.Unix(0, at)
}

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	if j := a.facts.state.Job(subjects.JobOf(e)); j != nil {
		return j.Trace
	}
	return ""
}

// mayPace reports whether jobs that compete are to be paced.
func (a *Actor) mayPace() bool {
	switch a.facts.cfg.Pace {
	case PaceOn:
		return true
	case PaceAuto:
		return a.facts.queues.Weighted()
	}
	return false
}

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
	*facts
	liveness   *liveness
	endings    *endings
	reconciler *reconciler

	backlog *backlog
	tracker *tracker
	models  *learning.Models
	pacer   *pacing.Pacer

	steerer  *steerer
	assigner *assigner

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
func (a *Actor) State() *ledger.State { return a.state }

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
		out.Actions = append(a.liveness.report(), a.models.Report(a.state)...)
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
	if !a.state.Paused && !a.liveness.suspects() {
		a.steerer.decide(b)
		a.assigner.decide(b)
	}
	for _, e := range a.pacer.Decide(a.now, a.mayPace(), b.room()) {
		b.add(e)
	}
	if a.cfg.Models != ModelsFixed {
		// Last: what follows models in the log was decided with them.
		for _, e := range a.models.Decide(a.state, a.curves, b.room()) {
			b.add(e)
		}
	}
	return b.events
}

// tickEvery is how often silence is measured: as often as hosts beat.
const tickEvery = int64(time.Second)

// tick is the same for the silence that is configured.
func (c *Config) tick() int64 { return max(tickEvery, int64(c.Silence)/60) }

// tick declares silent hosts lost, once a second. It also has everything that is cheap
// looked at again, so that no decision depends on a single mark.
func (a *Actor) tick(b *batch) {
	if a.now < a.tickAt {
		return
	}
	a.tickAt = a.now + a.cfg.tick()
	a.due.unwanted, a.due.endings = true, true
	a.backlog.promoteOldest()
	a.liveness.decide(b)
}

// wake is the next time at which something may be due without an input. What
// is due already waits for something else, not for time.
func (a *Actor) wake() time.Time {
	at := a.now + a.cfg.tick()
	if a.tickAt > a.now {
		at = min(at, a.tickAt)
	}
	if a.backoff > a.now {
		at = min(at, a.backoff)
	}
	if a.lookAt > a.now {
		at = min(at, a.lookAt)
	}
	return time.Unix(0, at)
}

// batch is a bounded list of events.
type batch struct{ events []subjects.Event }

// room is how many more events fit.
func (b *batch) room() int { return actors.MaxBatch - len(b.events) }

// add takes an event if it fits. What does not fit is called for again when the
// batch has come back.
func (b *batch) add(e subjects.Event) {
	if b.room() > 0 {
		b.events = append(b.events, e)
	}
}

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	if j := a.state.Job(subjects.JobOf(e)); j != nil {
		return j.Trace
	}
	return ""
}

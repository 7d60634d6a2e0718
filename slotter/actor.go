package slotter

import (
	"time"

	"lull/actors"
	"lull/slotter/assigning"
	"lull/slotter/backlog"
	"lull/slotter/batch"
	"lull/slotter/endings"
	"lull/slotter/facts"
	"lull/slotter/learning"
	"lull/slotter/liveness"
	"lull/slotter/pacing"
	"lull/slotter/placing"
	"lull/slotter/preemption"
	"lull/slotter/reconcile"
	"lull/slotter/tenants"
	"lull/slotter/tracking"
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
	facts      *facts.Facts
	liveness   *liveness.Liveness
	endings    *endings.Endings
	placing    *placing.Placing
	reconciler *reconcile.Reconciler

	backlog *backlog.Backlog
	tracker *tracking.Tracker
	models  *learning.Models
	pacer   *pacing.Pacer

	steerer    *tenants.Steerer
	preemption *preemption.Preemption
	assigner   *assigning.Assigner

	tickAt int64 // next tick
}

var (
	_ actors.Actor    = (*Actor)(nil)
	_ actors.Answerer = (*Actor)(nil)
	_ actors.Traced   = (*Actor)(nil)
)

// New returns the slotter of an empty log.
func New(cfg Config) (*Actor, error) {
	cfg.Fill()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	a := &Actor{}
	a.reset(cfg, ledger.New())
	return a, nil
}

// State is the ledger as folded so far, to read.
func (a *Actor) State() *ledger.State { return a.facts.Ledger }

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
		out.Actions = append(a.liveness.Report(), a.models.Report(a.facts.Ledger)...)
	}
	out.Wake = a.wake()
	return out
}

// decide collects what the state calls for. What ends comes before what
// begins, so that a batch that is full leaves the assignments to the next.
func (a *Actor) decide() []subjects.Event {
	b := &batch.Batch{}
	a.tick(b)
	a.endings.Decide(b)
	a.reconciler.Decide(b)
	a.endings.Reopen(b)
	if !a.facts.Ledger.Paused && !a.liveness.Suspects() {
		a.steerer.Decide(b)
		a.assigner.Decide(b)
	}
	for _, e := range a.pacer.Decide(a.facts.Now, a.tracker.MayPace(), b.Room()) {
		b.Add(e)
	}
	if a.facts.Config.Models != ModelsFixed {
		// Last: what follows models in the log was decided with them.
		for _, e := range a.models.Decide(a.facts.Ledger, a.facts.Curves, b.Room()) {
			b.Add(e)
		}
	}
	return b.Events
}

// leastTick is how often silence is measured: as often as hosts beat.
const leastTick = int64(time.Second)

// tickEvery is the same for the silence that is configured.
func tickEvery(c *Config) int64 { return max(leastTick, int64(c.Silence)/60) }

// tick declares silent hosts lost, once a second. It also has everything that is cheap
// looked at again, so that no decision depends on a single mark.
func (a *Actor) tick(b *batch.Batch) {
	if a.facts.Now < a.tickAt {
		return
	}
	a.tickAt = a.facts.Now + tickEvery(&a.facts.Config)
	a.facts.Due.Unwanted, a.facts.Due.Endings = true, true
	a.backlog.PromoteOldest()
	a.liveness.Decide(b)
}

// wake is the next time at which something may be due without an input. What
// is due already waits for something else, not for time.
func (a *Actor) wake() time.Time {
	at := a.facts.Now + tickEvery(&a.facts.Config)
	if a.tickAt > a.facts.Now {
		at = min(at, a.tickAt)
	}
	if a.facts.Backoff > a.facts.Now {
		at = min(at, a.facts.Backoff)
	}
	if a.facts.LookAt > a.facts.Now {
		at = min(at, a.facts.LookAt)
	}
	return time.Unix(0, at)
}

// Trace returns the traceparent of the job that a decision is about.
func (a *Actor) Trace(e subjects.Event) string {
	if j := a.facts.Ledger.Job(subjects.JobOf(e)); j != nil {
		return j.Trace
	}
	return ""
}

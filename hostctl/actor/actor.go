package actor

import (
	"lull/actors"
	"lull/subjects"
)

// Version of snapshots, and of their one section.
const Version = 5

// Reads lists the earlier versions of snapshots that Restore reads.
var Reads = []int{unsectioned}

// Actor holds what the log says of one host and what its shell reported. Make
// it with New.
type Actor struct {
	cfg Config

	// What the log says.

	term    uint64 // sequence of the host's last Joined
	seq     uint64 // last entry folded
	paused  bool
	drained bool
	left    bool // Left of this term stands in the log
	lost    bool // Lost of this term stands in the log
	held    []*attempt
	paced   []paced // the latest word last
	known   []Know  // the latest learnt last
	harm    harm    // in part known to this process alone

	// What this process knows.

	adopted  *Adopted // what the shims held at the start; nil until reported
	first    uint64   // the first term of this process, 0 until it settled
	forget   []Forget // to be asked for
	full     bool     // the disk
	leaving  bool
	frozen   frozen
	reserve  reserve
	guarded  Guarded
	residual meter
	changed  bool         // heartbeats are to say something new
	told     uint64       // how far the last beat said that the log was read
	rejoined bool         // Rejoin was asked for
	departed bool         // Gone was said
	pacing   bool         // something was paced once
	lessons  []Identified // to be said
	missing  []Output     // to be said, by attempt
	recalled bool         // Know was said
}

var (
	_ actors.Actor  = (*Actor)(nil)
	_ actors.Traced = (*Actor)(nil)
)

// New returns the actor of a host of which the log says nothing yet.
func New(cfg Config) *Actor {
	return &Actor{cfg: cfg, residual: meter{rate: 1}}
}

// Step folds an input, acts on what the state then calls for, and, if asked,
// says what the host owes the log.
func (a *Actor) Step(in actors.Input) actors.Output {
	a.residual.advance(in.Now)
	switch {
	case in.Entry != nil:
		a.fold(in.Entry)
	case in.Sample != nil:
		a.sample(in.Sample)
	case in.Report != nil:
		a.report(in.Report)
	}
	if in.Term == 0 || in.Term != a.term {
		return actors.Output{} // another process writes for the host, or none
	}
	out := actors.Output{Actions: a.act(), Wake: a.wake()}
	a.residual.set(a.cfg.Cores, a.busy())
	if in.Decide {
		out.Events = a.decide()
	}
	return out
}

// act is everything the state calls for at once, in the order it matters:
// first what relieves the primary, then what starts more.
func (a *Actor) act() []actors.Action {
	var actions []actors.Action
	actions = a.recall(actions)
	actions = a.settle(actions)
	a.reckon()
	actions = a.gate(actions)
	actions = a.kills(actions)
	actions = a.forgets(actions)
	actions = a.starts(actions)
	actions = a.paces(actions)
	actions = a.depart(actions)
	if a.changed {
		a.changed, a.told = false, a.seq
		actions = append(actions, Hold{a.beat()})
	}
	return actions
}

// beat is the heartbeat of the present state. Seq may lag behind the log, for
// what an entry about this host changes is said at once. Who is leaving says
// so before its tasks end: else it would be given them again while it goes.
func (a *Actor) beat() subjects.Beat {
	b := subjects.Beat{
		Host: a.cfg.Host, Term: a.term, Seq: a.seq, Paused: a.paused || a.leaving, Full: a.full,
		Attempts: make([]uint64, len(a.held)),
	}
	for i, t := range a.held {
		b.Attempts[i] = t.id
	}
	return b
}

// Trace returns the traceparent of the job that an event is about.
func (a *Actor) Trace(e subjects.Event) string {
	if f := subjects.ReportOf(e); f != nil {
		if t := a.attempt(f.Attempt); t != nil {
			return t.trace
		}
	}
	return ""
}

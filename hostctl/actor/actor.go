package actor

import (
	"lull/actors"
	"lull/subjects"
)

// Version of snapshots, and of their one section.
const Version = 5

// Reads lists the earlier versions of snapshots that Restore reads.
var Reads = []int{unsectioned}

// Actor is the pure half of a host's agent. Make it with New.
type Actor struct {
	*facts
	assignments *assignments
	launcher    *launcher
	reserve     *reserve
	pace        *pace
	models      *models
	harm        *harm
	missing     *missing

	frozen   frozen
	beatSeq  uint64 // sequence that the last heartbeat named as read
	rejoined bool   // Rejoin was asked for
	departed bool   // Gone was reported
}

var (
	_ actors.Actor  = (*Actor)(nil)
	_ actors.Traced = (*Actor)(nil)
)

// New returns the actor of a host of which the log says nothing yet.
func New(cfg Config) *Actor {
	f := &facts{cfg: cfg, residual: meter{slotResidual: 1}}
	r, h := &reserve{facts: f}, &harm{facts: f}
	return &Actor{
		facts: f, reserve: r, harm: h,
		assignments: &assignments{facts: f, harm: h},
		launcher:    &launcher{facts: f, reserve: r},
		pace:        &pace{facts: f},
		models:      &models{facts: f},
		missing:     &missing{facts: f},
	}
}

// Step folds an input and returns the actions that the state then calls for. If
// the input asks for decisions, it also returns the events that the host owes the
// log.
func (a *Actor) Step(in actors.Input) actors.Output {
	a.residual.advance(in.Now)
	switch {
	case in.Entry != nil:
		a.foldEntry(in.Entry)
	case in.Sample != nil:
		a.reserve.foldSample(in.Sample)
	case in.Report != nil:
		a.foldReport(in.Report)
	}
	if in.Term == 0 || in.Term != a.term {
		return actors.Output{} // another process writes for the host, or none
	}
	out := actors.Output{Actions: a.act(), Wake: a.wake()}
	a.residual.set(a.cfg.Cores, a.busy(), a.load())
	if in.Decide {
		out.Events = a.decide()
	}
	return out
}

// act returns all actions that the state calls for, in order of urgency: those
// that relieve the primary come before those that start tasks.
func (a *Actor) act() []actors.Action {
	var actions []actors.Action
	actions = a.models.announce(actions)
	actions = a.launcher.reconcile(actions)
	a.harm.closeInterval()
	actions = a.freezeOrThaw(actions)
	actions = a.assignments.killCondemned(actions)
	actions = a.assignments.forgetEnded(actions)
	actions = a.launcher.startWaiting(actions)
	actions = a.pace.setRates(actions)
	actions = a.depart(actions)
	if a.changed {
		a.changed, a.beatSeq = false, a.seq
		actions = append(actions, SetBeat{a.beat()})
	}
	return actions
}

// freezeOrThaw makes the tasks' state follow the host's pause. A new process
// always sends one of the two, because an earlier process may have left tasks
// frozen.
func (a *Actor) freezeOrThaw(actions []actors.Action) []actors.Action {
	switch {
	case a.paused && a.frozen != freezeOn:
		a.frozen = freezeOn
		return append(actions, Freeze{})
	case !a.paused && a.frozen != freezeOff:
		a.frozen = freezeOff
		return append(actions, Thaw{})
	}
	return actions
}

// frozen is the last of Freeze and Thaw that was sent to the shell.
type frozen uint8

const (
	freezeUnknown frozen = iota
	freezeOff
	freezeOn
)

// depart ends the agent when Left stands in the log, and asks for a new term
// when the host was declared lost.
func (a *Actor) depart(actions []actors.Action) []actors.Action {
	if a.left && a.leaving && !a.departed {
		a.departed = true
		actions = append(actions, Gone{})
	}
	if a.lost && !a.rejoined && !a.leaving {
		a.rejoined = true
		actions = append(actions, Rejoin{})
	}
	return actions
}

// beat returns the heartbeat of the present state. Its Seq may lag behind the log:
// an entry about this host that changes the heartbeat is announced at once. A host
// that is leaving reports itself paused before its tasks end; otherwise the slotter
// would assign them to it again while it leaves.
func (a *Actor) beat() subjects.Beat {
	b := subjects.Beat{
		Host: a.cfg.Host, Term: a.term, Seq: a.seq, Paused: a.paused || a.leaving, Full: a.full,
		Frozen: a.reserve.guarded.Frozen, Attempts: make([]uint64, len(a.held)),
	}
	for i, t := range a.held {
		b.Attempts[i] = t.id
		if !t.savedMark.at.IsZero() && t.phase == started {
			b.Saved = append(b.Saved, subjects.Saved{Attempt: t.id, At: t.savedMark.at.UnixNano()})
		}
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

// HarmAccount returns the account of harm from which the next actor of this process
// is to continue.
func (a *Actor) HarmAccount() HarmAccount { return a.harm.accountForNext() }

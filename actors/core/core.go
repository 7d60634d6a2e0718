package core

import (
	"time"

	"lull/actors"
	"lull/actors/bounded"
	"lull/subjects"
)

// Config says which actor a core runs, and in which role.
type Config struct {
	// Role is complete: see Role.In.
	actors.Role
	// Pool is the log's.
	Pool subjects.Pool
	// Instance names this start of the process: every start is an instance of its own.
	Instance string
	// Actor is in its initial state.
	Actor actors.Actor
	// Claim makes the event that opens a term.
	Claim func(instance string) subjects.Event
}

// Moment is what the machine and the bus say when an input comes.
type Moment struct {
	// Elapsed is the time since the instance began by a clock that only runs forward. Time
	// that the machine spent suspended counts.
	Elapsed time.Duration
	// Wall is the machine's time of day. It is used until the log has given a time.
	Wall time.Time
	// Memory is the memory use of the process, zero if it is not measured.
	Memory subjects.Memory
	// MaxMessage is the largest message that the log takes, in bytes; 0 for no limit.
	MaxMessage int
}

// Core is the state of an instance. Make it with New, then call Begin. Only one goroutine may use
// it.
type Core struct {
	cfg Config
	at  Moment   // of the input that is handled
	out []Effect // of that input

	clock   clock
	created time.Time // of the log
	seq     uint64    // last entry folded
	behind  uint64    // entries that waited behind the last one
	changed bool      // something happened since the last decision
	wake    time.Time // when the actor wants a tick, zero for never
	failed  error     // the core does nothing any more
	// borrowed is the last entry that another service's snapshot had folded; 0 if this instance
	// folded all itself.
	borrowed uint64

	tenure     tenure
	flight     *flight // the batch that is out, nil for none
	hold       hold
	batchLimit batchLimit
	refusals   bounded.Map[string, time.Duration] // refused decisions, and until when they are dropped
	inbox      inbox
	snapshot   saver
}

// New returns the core of an instance that has read nothing.
func New(cfg Config) *Core {
	c := &Core{cfg: cfg, refusals: bounded.New[string, time.Duration](maxRefusals)}
	c.tenure.hasLease = cfg.Lease == 0
	return c
}

// Err is why the core cannot go on, nil if it can. Then it calls for no more effects.
func (c *Core) Err() error { return c.failed }

// Seq is the last entry of the log that was folded.
func (c *Core) Seq() uint64 { return c.seq }

// Now is the actor's time.
func (c *Core) Now(at Moment) time.Time { return c.clock.now(&at) }

// Leading reports whether this instance is the writer of its partition and may decide.
func (c *Core) Leading() bool { return c.term() != 0 }

// begin clears what the last input called for.
func (c *Core) begin(at Moment) {
	clear(c.out)
	c.at, c.out = at, c.out[:0]
}

func (c *Core) emit(e Effect) { c.out = append(c.out, e) }

func (c *Core) note(s Severity, text string, args ...any) { c.emit(Note{s, text, args}) }

// Sample steps the actor with telemetry.
func (c *Core) Sample(at Moment, sample subjects.Telemetry) []Effect {
	c.begin(at)
	c.step(actors.Input{Sample: sample})
	return c.out
}

// Report steps the actor with the outcome of an action.
func (c *Core) Report(at Moment, outcome any) []Effect {
	c.begin(at)
	c.step(actors.Input{Report: outcome})
	return c.out
}

// Turn does what the state calls for when all that is there was read: it opens a term, or
// the inbox again, or decides.
func (c *Core) Turn(at Moment) []Effect {
	c.begin(at)
	if c.failed != nil {
		return nil
	}
	c.renewTerm()
	c.claim()
	c.reopenInbox()
	c.reportMemory()
	c.decide()
	return c.out
}

// step is the only way into the actor.
func (c *Core) step(in actors.Input) actors.Output {
	in.Now, in.Term, in.Memory = c.clock.now(&c.at), c.term(), c.at.Memory
	out := c.cfg.Actor.Step(in)
	c.changed = !in.Decide
	c.wake = out.Wake
	if in.Term == 0 {
		return out
	}
	if len(out.Actions) > 0 {
		c.emit(Do{out.Actions})
	}
	for _, reply := range out.Replies {
		c.emit(Answer{reply})
	}
	return out
}

// decide asks for decisions when this instance may make some.
func (c *Core) decide() {
	if !c.changed || c.failed != nil || c.term() == 0 || c.flight != nil || c.hold.active(c.at) {
		return
	}
	if out := c.step(actors.Input{Decide: true}); len(out.Events) > 0 {
		c.append(out.Events)
	}
}

// Alarm returns the time until Ring and Turn are due although no message came. due is false if
// they never are.
func (c *Core) Alarm(at Moment) (wait time.Duration, due bool) {
	soon := func(d time.Duration) {
		if d = max(d, 0); !due || d < wait {
			wait, due = d, true
		}
	}
	if !c.wake.IsZero() && c.term() != 0 {
		soon(c.wake.Sub(c.clock.now(&at)))
	}
	if c.hold.active(at) {
		soon(c.hold.until - at.Elapsed)
	}
	if c.inbox.full {
		soon(memoryCheckEvery)
	}
	if c.mayClaim() {
		soon(c.tenure.claimAfter - at.Elapsed)
	}
	if c.savable() && !c.snapshot.busy && c.cfg.SnapshotAfter > 0 {
		soon(c.untilSnapshot(at))
	}
	if c.mayReopen() {
		soon(c.inbox.after - at.Elapsed)
	}
	return wait, due
}

// Ring makes what is due a reason to decide.
func (c *Core) Ring(at Moment) []Effect {
	c.begin(at)
	if !c.wake.IsZero() && !c.clock.now(&at).Before(c.wake) {
		c.wake = time.Time{}
		c.changed = true
	}
	if c.hold.expired(at) {
		c.changed = true
	}
	c.snapshotIfDue()
	return c.out
}

package attempts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/subjects"
	"lull/subjects/spec"
)

// found is an attempt that a shim held when the agent began. It is complete before it enters
// table.mu.found. While it is there only evicted changes, under table.mu. Code that has taken it
// out of the map is its one owner and reads it without the lock.
type found struct {
	slot    *slots.Slot
	running *shim.Running // nil if it has ended
	ended   shim.Event
	events  <-chan shim.Event
	evicted bool // ended for the primary's sake, before the log named it
}

// adoptPatience bounds the wait for one slot, while the others are not guarded yet.
const adoptPatience = 3 * time.Second

// AdoptFrom takes over the attempt that an earlier agent left in a slot. A stopped task continues.
// A task is killed if its shim is gone or does not answer, because nothing could report its end. A
// process may never end, in a call to a file server for instance. It must not delay the other
// slots, so the wait is bounded.
func (a *Runner) AdoptFrom(ctx context.Context, s *slots.Slot) error {
	var mute error
	if s.Alive() {
		if mute = a.findIn(ctx, s); mute == nil {
			return s.Freeze(ctx, 0, false)
		}
		mute = errors.Join(mute, shim.Kill(s.Dir()))
	}
	ctx, stop := context.WithTimeout(ctx, adoptPatience)
	defer stop()
	return errors.Join(mute, s.Clear(ctx))
}

// findIn notes what a slot's shim holds. Events that come from now on wait in found.events.
func (a *Runner) findIn(ctx context.Context, s *slots.Slot) error {
	c, err := s.ShimWithin(ctx, adoptPatience)
	if err != nil {
		return fmt.Errorf("adopt what runs: %w", err)
	}
	hello := c.Hello()
	note := func(attempt uint64, f found) {
		f.slot = s
		a.table.addFound(attempt, f)
	}
	if r := hello.Running; r != nil {
		note(r.Attempt, found{running: r, events: s.Found()})
	}
	for _, e := range hello.Ended {
		note(e.Attempt, found{ended: e})
	}
	for _, e := range hello.Unstarted {
		note(e.Attempt, found{ended: e})
	}
	return nil
}

// Adopt goes on with an attempt that the log says is this host's. It reports again what became of
// the attempt if this agent runs it already, for a new term.
func (a *Runner) Adopt(t actor.Task) {
	if r := a.table.run(t.Attempt); r != nil {
		r.reportAgain(a.cfg.Report)
		return
	}
	r, f := a.claim(t)
	if f == nil {
		return
	}
	if f.evicted {
		r.evict(subjects.ReasonReserve, actor.AtOnce)
	}
	r.folder.Hold()
	a.work.Go(func() {
		x := a.execution(r)
		end, err := x.resume(f)
		x.conclude(end, err)
	})
}

// claim makes the run of an attempt that the log has named, and takes what a shim holds of it, if
// any.
func (a *Runner) claim(t actor.Task) (*run, *found) {
	return a.table.claim(t.Attempt, func(f *found) *run {
		if f == nil {
			return a.newRun(t, a.slotOf(t))
		}
		r := a.newRun(t, f.slot)
		r.needsTidying = true
		return r
	})
}

// docPatience bounds the wait for a document that only adds to a report.
const docPatience = 2 * time.Second

// resume takes an adopted attempt to its end. To commit it, the job's document is not needed; a
// report without it only says less.
func (x *execution) resume(f *found) (actor.Ended, error) {
	ctx, stop := context.WithTimeout(x.ctx, docPatience)
	doc, err := x.cfg.Inputs.Job(ctx, x.Task)
	stop()
	if err != nil || int(x.Stage) >= len(doc.Spec.Stages) {
		x.doc = &subjects.Submitted{Spec: spec.Job{Stages: make([]spec.Stage, x.Stage+1)}}
	} else {
		x.doc = doc
		x.setModel(doc)
	}
	e := f.ended
	if f.running != nil {
		x.reportRunning(f.running.Start)
		if e, err = x.awaitEnd(f.events); err != nil {
			return actor.Ended{}, err
		}
	}
	return x.outcome(e), nil
}

// Drop ends an attempt that the log does not list any more.
func (a *Runner) Drop(attempt uint64) {
	r, f := a.table.remove(attempt)
	switch {
	case r != nil:
		r.cancel(errDropped)
		a.work.Go(func() { <-r.done; r.slot.Ack(attempt) })
	case f != nil && f.running != nil:
		a.work.Go(func() { a.discard(attempt, f) })
	case f != nil:
		f.slot.Ack(attempt)
	}
}

// discard ends the process of an attempt that the log has not named.
func (a *Runner) discard(attempt uint64, f *found) {
	r := a.newRun(actor.Task{Attempt: attempt}, f.slot)
	r.cancel(errDropped)
	if _, err := a.execution(r).awaitEnd(f.events); err == nil {
		f.slot.Ack(attempt)
	}
}

package hostctl

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
// Agent.mu.found. While it is there only evicted changes, under Agent.mu. Code that has taken it
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

// adoptFrom takes over what an earlier agent left in a slot. A task that was stopped is
// continued. A task with a shim that is gone or does not answer is killed, because no one could
// report its end. A process that does not end, in a call to a file server for instance, must
// not delay the other slots, so the wait is bounded.
func (a *Agent) adoptFrom(ctx context.Context, s *slots.Slot) error {
	var mute error
	if s.Alive() {
		if mute = a.adoptSlot(ctx, s); mute == nil {
			return s.Freeze(ctx, 0, false)
		}
		mute = errors.Join(mute, shim.Kill(s.Dir()))
	}
	ctx, stop := context.WithTimeout(ctx, adoptPatience)
	defer stop()
	return errors.Join(mute, s.Clear(ctx))
}

// adoptSlot notes what a slot's shim holds. Events that come from now on wait
// in found.events.
func (a *Agent) adoptSlot(ctx context.Context, s *slots.Slot) error {
	c, err := s.ShimWithin(ctx, adoptPatience)
	if err != nil {
		return fmt.Errorf("adopt what runs: %w", err)
	}
	hello := c.Hello()
	note := func(attempt uint64, f found) {
		f.slot = s
		a.mu.Lock()
		defer a.mu.Unlock()
		a.mu.found[attempt] = &f
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

// claim goes on with an attempt that the log says is ours.
func (a *Agent) claim(t actor.Task) {
	if r := a.run(t.Attempt); r != nil {
		a.repeat(r) // a new term of the same agent
		return
	}
	a.mu.Lock()
	f := a.mu.found[t.Attempt]
	delete(a.mu.found, t.Attempt)
	r := a.newRun(t)
	if f != nil { // before others can find the run: they read its slot without a lock
		r.slot, r.made, r.folder = f.slot, true, r.folder.For(a.owner(f.slot.N))
	}
	a.mu.runs[t.Attempt] = r
	a.mu.Unlock()
	if f == nil {
		return
	}
	if f.evicted {
		r.cancel(eviction{subjects.ReasonReserve, true})
	}
	r.folder.Hold()
	a.work.Go(func() {
		end, err := a.resume(r, f)
		a.conclude(r, end, err)
	})
}

// specPatience bounds the wait for a specification that only adds to a report.
const specPatience = 2 * time.Second

// resume takes an adopted attempt to its end. To commit it, the specification
// is not needed; a report without it only says less.
func (a *Agent) resume(r *run, f *found) (actor.Ended, error) {
	ctx, stop := context.WithTimeout(r.ctx, specPatience)
	job, err := a.inputs.Job(ctx, r.Task)
	stop()
	if err != nil || int(r.Stage) >= len(job.Spec.Stages) {
		job = &subjects.Submitted{Spec: spec.Job{Stages: make([]spec.Stage, r.Stage+1)}}
	} else {
		r.name(job)
	}
	e := f.ended
	if f.running != nil {
		a.began(r, f.running.Start, job.Trace)
		if e, err = a.await(r, f.events, job.Trace); err != nil {
			return actor.Ended{}, err
		}
	}
	return a.outcome(r, job, e), nil
}

// drop ends an adopted attempt that the log does not list any more.
func (a *Agent) drop(attempt uint64) {
	a.mu.Lock()
	f, r := a.mu.found[attempt], a.mu.runs[attempt]
	delete(a.mu.found, attempt)
	delete(a.mu.runs, attempt)
	a.mu.Unlock()
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

func (a *Agent) discard(attempt uint64, f *found) {
	r := a.newRun(actor.Task{Attempt: attempt})
	r.slot = f.slot
	r.cancel(errDropped)
	if _, err := a.await(r, f.events, ""); err == nil {
		f.slot.Ack(attempt)
	}
}

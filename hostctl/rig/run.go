package rig

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"lull/hostctl/pace"
	"lull/hostctl/pacing"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/subjects/spec"
)

// Task is a command for a Rig.
type Task struct {
	Argv []string
	Env  []string // all there is
	Dir  string   // working folder
	// Input is fed to it. One whole file is handed over instead, and what it
	// takes of that is counted less exactly.
	Input []spec.Range
	// Stdout and Stderr are files; "" drops the stream.
	Stdout, Stderr string
	// Progress is the file in which it may report how far it is, its
	// LULL_PROGRESS; "" for none.
	Progress string
	// Cores is how many it can use. Defaults to one.
	Cores float64
	// Kind names what is known of it: tasks of one kind share a model.
	Kind string
	// Reference is the rate, in bytes/s, at which it is to read; 0 leaves it alone.
	Reference float64
	// Priority decides which run gives way first: the one with the lower priority.
	Priority float64
}

// Run is a command at work.
type Run struct {
	rig  *Rig
	id   uint64
	slot *slots.Slot
	task Task
	// before is what the slot had used when it began, in CPU seconds.
	before float64
	done   chan struct{} // closed with its end
	end    shim.Event    // nil if its shim was lost; read after done

	identified chan struct{} // closed when it has shown its model
	learnt     *pace.Learnt  // under rig.mu, as what follows
	moments    []pacing.Moment
	starved    bool
}

// Start runs a command in a free slot.
func (r *Rig) Start(ctx context.Context, t Task) (*Run, error) {
	t.Cores = cmp.Or(t.Cores, 1)
	x, err := r.admit(t)
	if err != nil {
		return nil, err
	}
	c, err := x.slot.Shim(ctx)
	if err != nil {
		r.free(x)
		return nil, err
	}
	x.before, _, _ = x.slot.Group.Usage()
	events := x.slot.Expect(x.id)
	err = c.Start(shim.Task{
		Attempt: x.id, Argv: t.Argv, Env: t.Env, Dir: t.Dir, Stdin: shim.Stdin{Ranges: t.Input},
		Stdout: t.Stdout, Stderr: t.Stderr, Bounds: shim.Bounds{Unfenced: true, Privileged: true},
	})
	if err != nil {
		r.free(x)
		return nil, err
	}
	x.Pace(t.Reference)
	go x.await(events)
	return x, nil
}

// admit finds a slot.
func (r *Rig) admit(t Task) (*Run, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := slices.Index(r.mu.used, false)
	if n < 0 {
		return nil, fmt.Errorf("rig: all %d slots are taken", len(r.mu.used))
	}
	r.mu.next++
	x := &Run{rig: r, id: r.mu.next, slot: r.slots[n], task: t, done: make(chan struct{}), identified: make(chan struct{})}
	r.mu.used[n], r.mu.runs[x.id] = true, x
	return x, nil
}

func (r *Rig) free(x *Run) {
	r.pacer.End(x.id)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mu.used[x.slot.N] = false
}

// Pace sets the rate, in bytes/s, at which the command is to read from now on; 0 lifts its cap.
func (x *Run) Pace(reference float64) {
	if reference <= 0 {
		x.rig.pacer.End(x.id)
		return
	}
	x.rig.pacer.Set(&pacing.Task{
		ID: x.id, Slot: x.slot.N, Most: x.task.Cores, Kind: func() string { return x.task.Kind }, Live: func() bool { return !x.Over() },
		Reference: reference, Priority: x.task.Priority,
		Meter: pacing.MeterOf(x.slot, x.rig.cfg.Root, x.id, x.task.Progress),
	})
}

// Over reports whether the command has ended.
func (x *Run) Over() bool {
	select {
	case <-x.done:
		return true
	default:
		return false
	}
}

func (x *Run) await(events <-chan shim.Event) {
	for e := range events {
		if _, started := e.(*shim.Started); started {
			continue
		}
		x.end = e
		x.slot.Ack(x.id)
		break
	}
	x.rig.free(x)
	close(x.done)
}

// Done is closed when the command has ended.
func (x *Run) Done() <-chan struct{} { return x.done }

// Identified is closed when the command has shown how it follows its cap.
func (x *Run) Identified() <-chan struct{} { return x.identified }

// Stop ends the command with all that it started, and waits until it is gone.
func (x *Run) Stop(ctx context.Context) error {
	if err := x.slot.Kill(ctx, x.id, 0, ""); err != nil {
		return err
	}
	select {
	case <-x.done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("end %q: %w", x.task.Argv, ctx.Err())
	}
}

// Err says how the command failed, nil if it did not. Call it after Done.
func (x *Run) Err() error {
	switch e := x.end.(type) {
	case *shim.Exited:
		if e.Reason != "" && e.Reason != shim.ReasonKilled {
			return fmt.Errorf("%q: %s %d %s", x.task.Argv, e.Reason, e.Status, e.Text)
		}
		return nil
	case *shim.StartFailed:
		return fmt.Errorf("%q was not started: %s", x.task.Argv, e.Text)
	}
	return errors.New("the shim is gone")
}

// CPU returns how much the slot has used since the command began, and how much its caps allowed
// while it was paced, in CPU seconds. Both are 0 where the host has no account of them.
func (x *Run) CPU() (used, allowed float64) {
	now, _, _ := x.slot.Group.Usage()
	samples, _ := x.Moments()
	for _, m := range samples {
		allowed += m.InForce * pace.Sample.Seconds()
	}
	return max(now-x.before, 0), allowed
}

// Learnt is what the command has shown, nil if it has not.
func (x *Run) Learnt() *pace.Learnt {
	x.rig.mu.Lock()
	defer x.rig.mu.Unlock()
	return x.learnt
}

// Moments are the samples so far, and whether its reference was out of reach in
// any of them.
func (x *Run) Moments() (samples []pacing.Moment, starved bool) {
	x.rig.mu.Lock()
	defer x.rig.mu.Unlock()
	return slices.Clone(x.moments), x.starved
}

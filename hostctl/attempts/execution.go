package attempts

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lull/hostctl/actor"
	"lull/hostctl/refusal"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// execution takes one attempt from its assignment to its end, in a goroutine of its own.
type execution struct {
	*run
	cfg *Config
	doc *subjects.Submitted // of its job; set before its process is launched
}

// begin takes the attempt from its assignment to its end.
func (x *execution) begin() (actor.Ended, error) {
	doc, err := x.cfg.Inputs.Job(x.launchCtx, x.Task)
	if err != nil {
		return x.unstarted(err), nil
	}
	if int(x.Stage) >= len(doc.Spec.Stages) {
		err := fmt.Errorf("job %s has %d stages, and no stage %d", x.Job, len(doc.Spec.Stages), x.Stage)
		return x.unstarted(refusal.Decline(subjects.ReasonInput, err)), nil
	}
	x.doc = doc
	if err := x.probeOutput(); err != nil {
		return x.unstarted(refusal.Decline(subjects.ReasonUnwritable, err)), nil
	}
	x.setModel(doc)
	return x.execute()
}

// stage is the attempt's stage.
func (x *execution) stage() *spec.Stage { return &x.doc.Spec.Stages[x.Stage] }

// execute runs the attempt's process.
func (x *execution) execute() (actor.Ended, error) {
	prepare := x.prepare
	if x.stage().Publish {
		prepare = publication{x}.prepare
	}
	task, err := prepare()
	if err != nil {
		return x.unstarted(err), nil
	}
	events, err := x.launchTask(task)
	if err != nil {
		return x.unstarted(refusal.Decline(subjects.ReasonSlot, err)), nil
	}
	e, err := x.awaitEnd(events)
	if err != nil {
		return actor.Ended{}, err
	}
	return x.outcome(e), nil
}

// launchTask hands the task to the slot's shim.
func (x *execution) launchTask(task shim.Task) (<-chan shim.Event, error) {
	c, err := x.slot.Shim(x.launchCtx)
	if errors.Is(err, slots.ErrClosed) {
		return nil, errLeft
	}
	if err != nil {
		return nil, err
	}
	if err := x.slot.Memory.Set(x.stage().Memory); err != nil {
		return nil, err
	}
	if err := x.slot.Weight.Set(x.Cores()); err != nil {
		return nil, err
	}
	if err := x.launchCtx.Err(); err != nil {
		return nil, err
	}
	events := x.slot.Expect(x.Attempt)
	x.meter.Begin(time.Now())
	if err := c.Start(task); err != nil {
		x.cfg.Logger.Warn("the shim is gone", "slot", x.Slot, "error", err)
	}
	return events, nil // closed if the shim is gone
}

// unstarted is the end of an attempt of which nothing ran.
func (x *execution) unstarted(err error) actor.Ended {
	end := actor.Ended{Attempt: x.Attempt, Outcome: actor.Declined, Reason: subjects.ReasonDisk, Text: text(err)}
	var evicted eviction
	var known refusal.Error
	switch {
	case errors.As(context.Cause(x.ctx), &evicted):
		end.Outcome, end.Reason = actor.Evicted, evicted.reason
	case store.IsFull(err):
	case errors.As(err, &known):
		end.Outcome, end.Reason = known.Outcome, known.Reason
	}
	return end
}

// maxText bounds what an event quotes, in bytes.
const maxText = 2048

func text(err error) string {
	s := err.Error()
	return s[:min(len(s), maxText)]
}

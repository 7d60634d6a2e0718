package hostctl

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"lull/hostctl/actor"
	"lull/hostctl/environ"
	"lull/hostctl/inputs"
	"lull/hostctl/refusal"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/store"
	"lull/subjects"
)

// attempt takes an attempt from its assignment to its end.
func (a *Agent) attempt(r *run) (actor.Ended, error) {
	job, err := a.inputs.Job(r.setup, r.Task)
	if err != nil {
		return a.unstarted(r, err), nil
	}
	if int(r.Stage) >= len(job.Spec.Stages) {
		err := fmt.Errorf("job %s has %d stages, stage %d is not there", r.Job, len(job.Spec.Stages), r.Stage)
		return a.unstarted(r, refusal.Decline(subjects.ReasonInput, err)), nil
	}
	r.name(job)
	return a.execute(r, job)
}

// execute runs an attempt's process.
func (a *Agent) execute(r *run, job *subjects.Submitted) (actor.Ended, error) {
	prepare := a.prepare
	if job.Spec.Stages[r.Stage].Publish {
		prepare = a.prepublish
	}
	task, err := prepare(r, job)
	if err != nil {
		return a.unstarted(r, err), nil
	}
	events, err := a.launch(r, task, job.Spec.Stages[r.Stage].Memory)
	if err != nil {
		return a.unstarted(r, refusal.Decline(subjects.ReasonSlot, err)), nil
	}
	e, err := a.await(r, events, job.Trace)
	if err != nil {
		return actor.Ended{}, err
	}
	return a.outcome(r, job, e), nil
}

// launch hands the task to the slot's shim.
func (a *Agent) launch(r *run, task shim.Task, limit int64) (<-chan shim.Event, error) {
	c, err := r.slot.Shim(r.setup)
	if errors.Is(err, slots.ErrClosed) {
		return nil, errLeft
	}
	if err != nil {
		return nil, err
	}
	if err := r.slot.LimitMemory(limit); err != nil {
		return nil, err
	}
	if err := r.setup.Err(); err != nil {
		return nil, err
	}
	events := r.slot.Expect(r.Attempt)
	r.beginReads()
	if err := c.Start(task); err != nil {
		a.cfg.Logger.Warn("the shim is gone", "slot", r.Slot, "error", err)
	}
	return events, nil // closed if the shim is gone
}

// unstarted is the end of an attempt of which nothing ran.
func (a *Agent) unstarted(r *run, err error) actor.Ended {
	end := actor.Ended{Attempt: r.Attempt, Outcome: actor.Declined, Reason: subjects.ReasonDisk, Text: text(err)}
	var evicted eviction
	var known refusal.Error
	switch {
	case errors.As(context.Cause(r.ctx), &evicted):
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

// prepare makes what a task finds when it starts.
func (a *Agent) prepare(r *run, job *subjects.Submitted) (shim.Task, error) {
	stage := &job.Spec.Stages[r.Stage]
	split, err := a.inputs.Split(r.setup, stage, r.TaskID.Task)
	if err != nil {
		return shim.Task{}, err
	}
	r.made = true
	if err := r.folder.Make(); err != nil {
		return shim.Task{}, err
	}
	in, err := a.inputs.Input(r.setup, r.reader(job), split.Ranges)
	r.trees = in.Trees
	if err != nil {
		return shim.Task{}, err
	}
	r.input = in.Bytes()
	if len(stage.From) == 0 {
		split.Ranges = in.Ranges // those of URLs are files now
	}
	list, err := in.WriteList(r.folder)
	if err != nil {
		return shim.Task{}, err
	}
	stdin, err := in.Stdin(r.folder)
	if err != nil {
		return shim.Task{}, err
	}
	env := environ.Of(environ.Task{
		Task: r.Task, Stage: stage, Split: split, Folder: r.folder, List: list, Trace: job.Trace, User: a.policy.User,
	})
	return shim.Task{
		Attempt: r.Attempt, Argv: stage.Argv, Dir: cmp.Or(stage.Dir, r.folder.Work()),
		Env: env, Stdin: stdin,
		Stdout: r.folder.Stdout(), Stderr: r.folder.Stderr(), LogBytes: a.cfg.LogBytes,
		Timeout: stage.Timeout, Grace: a.cfg.Grace, Bounds: a.bounds(r),
	}, nil
}

// reader is the attempt as a reader of input.
func (r *run) reader(job *subjects.Submitted) inputs.Attempt {
	return inputs.Attempt{Task: r.Task, Doc: job, Folder: r.folder}
}

package hostctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"lull/hostctl/actor"
	"lull/hostctl/shim"
	"lull/hostctl/slots"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// refused is an error that has a reason code of Declined or Failed.
type refused struct {
	outcome actor.Outcome
	reason  string
	err     error
}

func (r refused) Error() string { return r.err.Error() }
func (r refused) Unwrap() error { return r.err }

func decline(reason string, err error) error { return refused{actor.Declined, reason, err} }

// broken is an input that will not be better elsewhere or later.
func broken(err error) error { return refused{actor.Failed, subjects.ReasonInput, err} }

// attempt takes an attempt from its assignment to its end.
func (a *Agent) attempt(r *run) (actor.Ended, error) {
	job, err := a.specs.job(r.setup, r.Task)
	if err != nil {
		return a.unstarted(r, decline(subjects.ReasonTransport, err)), nil
	}
	if int(r.Stage) >= len(job.Spec.Stages) {
		err := fmt.Errorf("job %s has %d stages, stage %d is not there", r.Job, len(job.Spec.Stages), r.Stage)
		return a.unstarted(r, decline(subjects.ReasonInput, err)), nil
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
		return a.unstarted(r, decline(subjects.ReasonSlot, err)), nil
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
	var known refused
	switch {
	case errors.As(context.Cause(r.ctx), &evicted):
		end.Outcome, end.Reason = actor.Evicted, evicted.reason
	case store.IsFull(err):
	case errors.As(err, &known):
		end.Outcome, end.Reason = known.outcome, known.reason
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
	split, err := a.specs.split(r.setup, stage, r.TaskID.Task)
	if err != nil {
		return shim.Task{}, transport(err)
	}
	r.made = true
	if err := r.folder.Make(); err != nil {
		return shim.Task{}, err
	}
	if split.Ranges, err = a.download(r, split.Ranges); err != nil {
		return shim.Task{}, err
	}
	in := input{split.Ranges}
	if len(stage.From) > 0 {
		pieces, err := a.gather(r, job, true)
		if err != nil {
			return shim.Task{}, err
		}
		in = readingOf(pieces)
	}
	r.input = in.bytes()
	list, err := in.list(r.folder)
	if err != nil {
		return shim.Task{}, err
	}
	stdin, err := in.stdin(r.folder)
	if err != nil {
		return shim.Task{}, err
	}
	return shim.Task{
		Attempt: r.Attempt, Argv: stage.Argv, Dir: orDefault(stage.Dir, r.folder.Work()),
		Env: a.environment(r, job, split, list), Stdin: stdin,
		Stdout: r.folder.Stdout(), Stderr: r.folder.Stderr(), LogBytes: a.cfg.LogBytes,
		Timeout: stage.Timeout, Grace: a.cfg.Grace, Bounds: a.bounds(r),
	}, nil
}

func orDefault(s, otherwise string) string {
	if s != "" {
		return s
	}
	return otherwise
}

// input is what a task reads.
type input struct{ ranges []spec.Range }

func (in input) bytes() (n int64) {
	for _, r := range in.ranges {
		n += r.Length
	}
	return n
}

// manyRanges is the number of ranges from which a file carries them: a message to the shim
// holds 16 MiB.
const manyRanges = 4096

// stdin leaves out what has no bytes.
func (in input) stdin(folder store.Folder) (shim.Stdin, error) {
	ranges := slices.DeleteFunc(slices.Clone(in.ranges), func(r spec.Range) bool { return r.Length == 0 })
	if len(ranges) <= manyRanges {
		return shim.Stdin{Ranges: ranges}, nil
	}
	b, err := subjects.Marshal(ranges)
	if err == nil {
		err = os.MkdirAll(folder.In(), 0o755)
	}
	path := folder.In() + "/.ranges" // no stage can have this name
	return shim.Stdin{List: path}, errors.Join(err, os.WriteFile(path, b, 0o644))
}

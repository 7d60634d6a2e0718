package hostctl

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"

	"lull/actors/account"
	"lull/client/publish"
	"lull/hostctl/actor"
	"lull/hostctl/contain"
	"lull/hostctl/inputs"
	"lull/hostctl/publisher"
	"lull/hostctl/shim"
	"lull/subjects"
	"lull/subjects/spec"
)

// Publishing is a task in the slot's shim, run as the tasks' user: see package publish. Its
// standard input is what the job's final stages wrote, which that user may not be able to
// read.

// prepublish prepares a publisher's input.
func (a *Agent) prepublish(r *run, job *subjects.Submitted) (shim.Task, error) {
	r.made = true
	if err := r.folder.Make(); err != nil {
		return shim.Task{}, err
	}
	pieces, err := a.inputs.Pieces(r.setup, r.reader(job))
	if err != nil {
		return shim.Task{}, err
	}
	plan, err := a.plan(r, job, pieces)
	if err != nil {
		return shim.Task{}, err
	}
	in := inputs.Whole(pieces)
	r.input = in.Bytes()
	in.Ranges = slices.Insert(in.Ranges, 0, plan)
	stdin, err := in.Stdin(r.folder)
	if err != nil {
		return shim.Task{}, err
	}
	stdin.Kept = true
	bounds := a.bounds(r)
	bounds.User = a.policy.User // the same for all slots: the next run replaces this one's files
	// The publisher makes its fence itself, around a folder that it opens first.
	bounds.Write, bounds.Unfenced = nil, true
	return shim.Task{
		Attempt: r.Attempt, Argv: append(slices.Clone(a.cfg.Shim), shim.Publish), Dir: "/", Env: []string{"GOMAXPROCS=2", "GOMEMLIMIT=24MiB", "GOTRACEBACK=single"},
		Stdin: stdin, Stdout: r.folder.Stdout(), Stderr: r.folder.Stderr(), LogBytes: a.cfg.LogBytes,
		Grace: a.cfg.Grace, Bounds: bounds,
	}, nil
}

// plan writes the publisher's plan to a file, which the publisher reads first.
func (a *Agent) plan(r *run, job *subjects.Submitted, pieces []inputs.Piece) (spec.Range, error) {
	p := publish.Plan{
		Output: job.Spec.Output, Job: r.Job, Attempt: r.Attempt, Fence: a.policy.Mode == contain.Full,
	}
	for _, from := range job.Spec.Stages[r.Stage].From {
		p.Stages = append(p.Stages, publish.Stage{Name: job.Spec.Stages[from.Stage].Name})
	}
	for _, f := range pieces {
		s := &p.Stages[f.From]
		s.Files = append(s.Files, publish.File{Path: f.Name, Size: f.File.Size, Mode: f.File.Mode, Sum: f.File.Sum})
	}
	b, err := p.Encode()
	if err != nil {
		return spec.Range{}, err
	}
	size := int64(len(b))
	return spec.Range{Path: r.folder.List(), Size: size, Length: size}, os.WriteFile(r.folder.List(), b, 0o600)
}

// unpublished turns the exit of a publisher that failed into the attempt's end.
func (a *Agent) unpublished(r *run, job *subjects.Submitted, e *shim.Exited, end *actor.Ended) {
	said, _ := os.ReadFile(r.folder.Stderr())
	end.Text = text(errors.New(string(bytes.TrimSpace(said))))
	switch e.Status {
	case publisher.StatusFull:
		end.Outcome, end.Reason = actor.Evicted, subjects.ReasonDisk
	case publisher.StatusOvertaken:
		end.Outcome, end.Reason = actor.Evicted, subjects.ReasonVanished
	case publisher.StatusDamaged:
		end.Outcome, end.Reason = actor.Evicted, subjects.ReasonVanished // tried again after a pause
		a.cfg.Logger.Warn("results are not published: an output of this host is damaged", "job", r.Job, "error", end.Text)
		a.inputs.DoubtInput(r.ctx, r.reader(job))
	default:
		end.Outcome, end.Reason, end.Exit = actor.Failed, subjects.ReasonOutput, int32(e.Status)
		if end.Text == "" {
			end.Text = fmt.Sprintf("the results were not published: %s", e.Text)
		}
	}
}

// mayRun explains why a publisher, which is this same program, was not started.
func mayRun(e *shim.StartFailed, user account.User) string {
	return fmt.Sprintf("%s: %s must be able to run lull itself to publish results (chmod o+rx, on its file)", e.Text, user.Name())
}

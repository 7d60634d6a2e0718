package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"lull/client/publish"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/manifest"
)

// Output is one file of a task's committed output, or a link or an empty folder.
type Output struct {
	Stage   string
	Task    uint32
	Attempt uint64
	Host    string
	manifest.File

	from  subjects.OutputHost
	phase ledger.Phase // of its job
}

// atOnce is how many requests run at the same time: enough to hide the round trips, few enough not
// to load the agent.
const atOnce = 8

// ErrForgotten says that the pool keeps no more of a job than a summary.
var ErrForgotten = errors.New("only a summary is left: its outputs are not kept any more")

// Results lists the committed files of the stages that no other stage reads: the results of the job. The
// beginning of the job's id is enough if no other id begins with it. The error is ErrNoJob,
// ErrSeveral or ErrForgotten, among others.
func (c *Client) Results(ctx context.Context, job string) (all []Output, err error) {
	s, err := c.state(ctx)
	if err != nil {
		return nil, err
	}
	j, err := Find(s, job)
	if err != nil {
		return nil, err
	}
	stages, err := ResultStages(j)
	if err != nil {
		return nil, err
	}
	for _, stage := range stages {
		more, err := c.Outputs(ctx, s, j, stage)
		if err != nil {
			return nil, err
		}
		all = append(all, more...)
	}
	return all, nil
}

// ResultStages returns the stages that no other stage reads. The error is ErrForgotten.
func ResultStages(j *ledger.Job) (results []int, err error) {
	if len(j.Stages) == 0 && j.Phase.Ended() {
		return nil, fmt.Errorf("of %s %w", j.ID, ErrForgotten)
	}
	read := make([]bool, len(j.Shape.Stages))
	for _, st := range j.Shape.Stages {
		for _, f := range st.From {
			read[f.Stage] = read[f.Stage] || !st.Publish
		}
	}
	for i, st := range j.Shape.Stages {
		if !read[i] && !st.Publish {
			results = append(results, i)
		}
	}
	return results, nil
}

// Outputs lists the committed files of a stage, by task and path. It asks the
// hosts for their manifests and checks them against the log.
func (c *Client) Outputs(ctx context.Context, s *ledger.State, j *ledger.Job, stage int) ([]Output, error) {
	kept := slices.Collect(s.Outputs(j, stage))
	perTask := make([][]Output, len(kept))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, k := range kept {
		group.Go(func() (err error) {
			o := Output{Stage: j.Shape.Stages[stage].Name, Task: k.Task, Attempt: k.Attempt, Host: k.Host.Name, phase: j.Phase}
			perTask[i], err = c.files(ctx, k, o)
			return o.fault(err)
		})
	}
	err := group.Wait()
	return slices.Concat(perTask...), err
}

// fault is the error for an output that its host no longer has, or has with wrong bytes. It says
// what the user can do.
func (o Output) fault(err error) error {
	what := "lost"
	switch {
	case errors.Is(err, manifest.ErrDamaged):
		what = "damaged"
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	todo := "submit the job again to make it anew"
	switch o.phase {
	case ledger.Finished:
	case ledger.Failed, ledger.Cancelled:
		todo += ", or retry it: what its other stages still read is made again then"
	default:
		todo = "the job has not ended: what another stage still reads is made again by itself"
	}
	return fmt.Errorf("the output of task %s/%d is %s: %w; %s", o.Stage, o.Task, what, err, todo)
}

// files lists the files of an output. all holds the fields that they have in common.
func (c *Client) files(ctx context.Context, k ledger.Kept, all Output) ([]Output, error) {
	var err error
	if all.from, err = outputHost(k.Host); err != nil {
		return nil, err
	}
	manifest, err := c.fetch.Manifest(ctx, all.from, k.Attempt, k.Manifest)
	if err != nil {
		return nil, err
	}
	outputs := make([]Output, len(manifest.Files))
	for i, f := range manifest.Files {
		outputs[i] = all
		outputs[i].File = f
	}
	return outputs, nil
}

// Place is where Fetch puts the file: <stage>/<task, 5 digits>/<path>, as in a
// job's published output. Tasks may give their files equal names.
func (o Output) Place() string {
	return filepath.Join(o.Stage, fmt.Sprintf("%05d", o.Task), filepath.FromSlash(o.Path))
}

// Fetch copies outputs below a folder. Each file is checked against its
// SHA-256 and appears whole or not at all.
func (c *Client) Fetch(ctx context.Context, outputs []Output, folder string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, o := range outputs {
		group.Go(func() error {
			return o.fault(c.fetch.File(ctx, o.from, o.Attempt, o.File, filepath.Join(folder, o.Place())))
		})
	}
	return publish.Full(group.Wait(), folder, bytesOf(outputs), "free some space, and give the command again; files that are there already are whole")
}

func bytesOf(outputs []Output) (n int64) {
	for _, o := range outputs {
		n += o.Stored()
	}
	return n
}

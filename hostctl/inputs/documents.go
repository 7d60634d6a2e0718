package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"lull/hostctl/actor"
	"lull/hostctl/refusal"
	"lull/subjects"
	"lull/subjects/spec"
)

// document identifies the document that the ledger accepted under a job's id: others may
// have been submitted under it.
type document struct {
	job string
	seq uint64
}

// Job returns the document of the job that a task belongs to.
func (g *Gatherer) Job(ctx context.Context, t actor.Task) (*subjects.Submitted, error) {
	job, err := g.jobs.Get(document{t.Job, t.Doc}, func() (*subjects.Submitted, error) { return g.cfg.Lookup.Submitted(ctx, t.Job, t.Doc) })
	if err != nil {
		return nil, refusal.Decline(subjects.ReasonTransport, fmt.Errorf("specification of job %s: %w", t.Job, err))
	}
	return job, nil
}

// Split returns a task's split. It is the zero Split if the stage has none.
func (g *Gatherer) Split(ctx context.Context, stage *spec.Stage, task uint32) (spec.Split, error) {
	if int(task) < len(stage.Splits) {
		return stage.Splits[task], nil
	}
	if stage.List == "" {
		return spec.Split{}, nil
	}
	split, err := g.listedSplit(ctx, stage, task)
	if err != nil {
		return spec.Split{}, transport(err)
	}
	return split, nil
}

// listedSplit finds a task's split in the list that the client saved with the job. A list that
// does not exist, or is damaged, fails the task: the next try would find the same.
func (g *Gatherer) listedSplit(ctx context.Context, stage *spec.Stage, task uint32) (spec.Split, error) {
	k, at := stage.Locate(task)
	name := spec.ChunkName(stage.List, k)
	chunk, err := g.chunks.Get(name, func() (*spec.Chunk, error) { return g.chunk(ctx, name) })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return spec.Split{}, broken(fmt.Errorf("the list of inputs %s of stage %s is not in the pool's bucket: submit the job again", name, stage.Name))
	case errors.Is(err, fs.ErrInvalid):
		return spec.Split{}, broken(fmt.Errorf("the list of inputs of stage %s: %w", stage.Name, err))
	case err != nil:
		return spec.Split{}, fmt.Errorf("list of splits %s: %w", name, err)
	}
	if int(at) >= len(chunk.Splits) {
		return spec.Split{}, broken(fmt.Errorf("the list of inputs %s has %d of them, and none for task %d: submit the job again", name, len(chunk.Splits), task))
	}
	split := chunk.Splits[at]
	if err := split.Validate(); err != nil {
		return spec.Split{}, broken(fmt.Errorf("the list of inputs %s is wrong about task %d: %w", name, task, err))
	}
	return split, nil
}

func (g *Gatherer) chunk(ctx context.Context, name string) (*spec.Chunk, error) {
	b, err := g.cfg.Lookup.Object(ctx, name)
	if err != nil {
		return nil, err
	}
	var chunk spec.Chunk
	if err := subjects.Unmarshal(b, &chunk); err != nil {
		return nil, broken(fmt.Errorf("it is damaged, submit the job again: %w", err))
	}
	return &chunk, nil
}

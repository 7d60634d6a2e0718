package hostctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"lull/hostctl/actor"
	"lull/subjects"
	"lull/subjects/spec"
)

// Lookup finds what the facts about one host do not hold.
type Lookup interface {
	// Submitted returns the submitted event of a job that the ledger accepted: that
	// of sequence doc, or the job's last one if doc is 0.
	Submitted(ctx context.Context, job string, doc uint64) (*subjects.Submitted, error)
	// Object returns an object of the pool's bucket. The error wraps
	// fs.ErrNotExist when it is known that there is none of this name, and
	// fs.ErrInvalid when it has more than spec.MaxChunk bytes.
	Object(ctx context.Context, name string) ([]byte, error)
	// Ask sends a question on Pool.Ask(what) and returns the answer.
	Ask(ctx context.Context, what string, body []byte) ([]byte, error)
	// Ticket asks a host for a ticket to its outputs: see fetch.Client.
	Ticket(ctx context.Context, host string) (subjects.TicketAnswer, error)
}

// specs keeps the specifications and lists that tasks of late belonged to.
type specs struct {
	from   Lookup
	jobs   cache[document, *subjects.Submitted]
	chunks cache[string, *spec.Chunk]
}

func newSpecs(from Lookup) *specs {
	return &specs{from: from, jobs: newCache[document, *subjects.Submitted](64), chunks: newCache[string, *spec.Chunk](16)}
}

// document identifies the document that the ledger accepted under a job's id: others may
// have been submitted under it.
type document struct {
	job string
	seq uint64
}

func (s *specs) job(ctx context.Context, t actor.Task) (*subjects.Submitted, error) {
	job, err := s.jobs.get(document{t.Job, t.Doc}, func() (*subjects.Submitted, error) { return s.from.Submitted(ctx, t.Job, t.Doc) })
	if err != nil {
		return nil, fmt.Errorf("specification of job %s: %w", t.Job, err)
	}
	return job, nil
}

// split returns a task's split; the zero Split if the stage has none.
func (s *specs) split(ctx context.Context, stage *spec.Stage, task uint32) (spec.Split, error) {
	if int(task) < len(stage.Splits) {
		return stage.Splits[task], nil
	}
	if stage.List == "" {
		return spec.Split{}, nil
	}
	return s.listed(ctx, stage, task)
}

// listed finds a task's split in the list that the client left beside the job.
// A list that is not there will never be, nor one that is broken get well:
// that is the input's fault, and not the way's to it.
func (s *specs) listed(ctx context.Context, stage *spec.Stage, task uint32) (spec.Split, error) {
	k, at := stage.Locate(task)
	name := spec.ChunkName(stage.List, k)
	chunk, err := s.chunks.get(name, func() (*spec.Chunk, error) { return s.chunk(ctx, name) })
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

func (s *specs) chunk(ctx context.Context, name string) (*spec.Chunk, error) {
	b, err := s.from.Object(ctx, name)
	if err != nil {
		return nil, err
	}
	var chunk spec.Chunk
	if err := subjects.Unmarshal(b, &chunk); err != nil {
		return nil, broken(fmt.Errorf("it is damaged, submit the job again: %w", err))
	}
	return &chunk, nil
}

package inputs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/hostctl/refusal"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
	"lull/subjects/spec"
)

// gather finds the outputs of earlier stages that a task reads. It copies those of other
// hosts into the task's in/ folder, and with linked also links those of this host there. It adds
// folders that the next reader may reuse to trees, and measures what it copies.
func (g *Gatherer) gather(ctx context.Context, at Attempt, linked bool, trees *[]store.Tree) (all []Piece, copied subjects.Fetch, err error) {
	if err := at.Folder.Inputs().Make(at.Folder.In()); err != nil {
		return nil, copied, err
	}
	began, m, bytes := time.Now(), new(meter), new(int64)
	for i, from := range at.stage().From {
		if int(from.Stage) >= len(at.Doc.Spec.Stages) {
			return nil, copied, refusal.Decline(subjects.ReasonInput, fmt.Errorf("job %s has no stage %d", at.Task.Job, from.Stage))
		}
		s := &gathering{Gatherer: g, at: at, from: i, of: from.Stage, linked: linked, trees: trees, meter: m, bytes: bytes}
		if from.Partition {
			s.only = "part-" + strconv.FormatUint(uint64(at.Task.Task), 10)
		}
		s.name = at.Doc.Spec.Stages[from.Stage].Name
		find := s.stage
		if from.Partition && linked {
			find = s.partitions
		}
		pieces, err := find(ctx)
		if err != nil {
			return nil, copied, err
		}
		all = append(all, pieces...)
	}
	return all, m.fetch(time.Since(began)), nil
}

// gathering is the gathering of one stage's outputs for one attempt.
type gathering struct {
	*Gatherer
	at     Attempt
	from   int    // index among the stages that the task reads
	of     uint32 // index among the job's stages
	only   string // the one file of each output that the task reads; "" for all
	name   string // of the stage
	linked bool
	trees  *[]store.Tree
	meter  *meter
	bytes  *int64 // found so far, of all stages
}

// stage finds and fetches the outputs of the stage.
func (g *gathering) stage(ctx context.Context) ([]Piece, error) {
	answer, err := g.outputs(ctx, g.at, g.at.stage().From[g.from])
	if err != nil {
		return nil, refusal.Decline(subjects.ReasonTransport, err)
	}
	for _, o := range answer.Outputs {
		if int(o.Host) >= len(answer.Hosts) {
			return nil, refusal.Decline(subjects.ReasonTransport, fmt.Errorf("output of task %d has no host", o.Task))
		}
	}
	each := make([][]Piece, len(answer.Outputs))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(g.cfg.TaskTransfers)
	for _, i := range order(answer, g.at.Task.Task) {
		o := answer.Outputs[i]
		group.Go(func() (err error) {
			each[i], err = g.findOutput(groupCtx, answer.Hosts[o.Host], o)
			return err
		})
	}
	err = group.Wait()
	if err == nil {
		err = g.room(each)
	}
	if err == nil {
		err = g.fetchRemote(ctx, answer, each)
	}
	if err != nil {
		return nil, transport(err)
	}
	return slices.Concat(each...), nil
}

// room asks whether there is room for what was found so far.
func (g *gathering) room(found [][]Piece) error {
	if g.at.Room == nil {
		return nil
	}
	for _, pieces := range found {
		for _, p := range pieces {
			*g.bytes += p.File.Size
		}
	}
	return g.at.Room(*g.bytes)
}

// outputs asks where the outputs are that a task reads of one stage.
func (g *Gatherer) outputs(ctx context.Context, at Attempt, from spec.From) (*subjects.OutputsAnswer, error) {
	if from.Element {
		return g.cfg.Slotter.OutputOf(ctx, at.Task.Job, from.Stage, at.Task.Task)
	}
	return g.cfg.Slotter.Outputs(ctx, at.Task.Job, from.Stage)
}

// transport is the reason of a fetch that failed, unless the disk is full, or
// what was fetched is at fault.
func transport(err error) error {
	if store.IsFull(err) || errors.As(err, new(refusal.Error)) {
		return err
	}
	return refusal.Decline(subjects.ReasonTransport, err)
}

// findOutput finds one task's output. If it is to be here and is not, or not as it was committed, the
// agent looks for itself.
func (g *gathering) findOutput(ctx context.Context, from subjects.OutputHost, o subjects.Output) ([]Piece, error) {
	if from.Host != g.cfg.Host {
		return g.list(ctx, from, o, store.Folder{}, false)
	}
	kept := g.cfg.Store.Folder(store.Task{Job: g.at.Task.Job, Stage: g.of, Task: o.Task}, o.Attempt)
	pieces, err := g.list(ctx, from, o, kept, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		g.cfg.Keeper.Missed()
		err = fmt.Errorf("the output of attempt %d is not in %s on this host any more: %w", o.Attempt, g.cfg.Store.Root(), err)
	case err != nil:
		g.cfg.Keeper.Doubt(o.Attempt)
	}
	return pieces, err
}

// list finds the files of an output, and links what is here.
func (g *gathering) list(ctx context.Context, from subjects.OutputHost, o subjects.Output, kept store.Folder, local bool) (pieces []Piece, err error) {
	m, err := g.manifest(ctx, from, o, kept, local)
	if err != nil {
		return nil, err
	}
	for i := range m.Files {
		file := &m.Files[i]
		if g.only != "" && file.Path != g.only {
			continue // for all but one of an output's hundreds, so nothing is copied before
		}
		p := Piece{From: g.from, Name: fmt.Sprintf("%05d/%s", o.Task, file.Path), File: *file}
		p.Path = filepath.Join(g.at.Folder.In(), g.name, filepath.FromSlash(p.Name))
		p.Local = local
		if local {
			err = g.link(kept, &p)
		} else {
			err = g.at.Folder.Inputs().Make(filepath.Dir(p.Path))
		}
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, p)
	}
	return pieces, nil
}

// link puts a file of this host where the task reads it. It compares its size only: hashing
// would take longer than many tasks that read it.
func (g *gathering) link(kept store.Folder, p *Piece) error {
	origin := filepath.Join(kept.Out(), filepath.FromSlash(p.File.Path))
	info, err := os.Lstat(origin)
	if err == nil && info.Mode().IsRegular() {
		err = p.File.Fits(info.Size())
	}
	if err != nil {
		return err
	}
	if g.linked {
		return g.at.Folder.Inputs().Link(origin, g.name, p.Name)
	}
	p.Path = origin
	return nil
}

// manifest returns the manifest of an output, and keeps it for the next reader.
func (g *Gatherer) manifest(ctx context.Context, from subjects.OutputHost, o subjects.Output, kept store.Folder, local bool) (manifest.Manifest, error) {
	return g.manifests.Get(o.Attempt, func() (manifest.Manifest, error) {
		if local {
			return kept.Output().Listed(o.Manifest)
		}
		return g.fetch.Manifest(ctx, from, o.Attempt, o.Manifest)
	})
}

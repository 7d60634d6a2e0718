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

// gather finds the outputs of earlier stages that a task reads. It copies those of other hosts into the
// task's in/ folder. If linked is set, it also links those of this host there. It adds to trees the folders
// that the next reader may reuse, and returns what it copied and how long that took.
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
	from   int    // index of the stage that is read, among the stages that the task reads
	of     uint32 // its index among the job's stages
	only   string // the one file of each output that the task reads; "" for all
	name   string // of the stage that is read
	linked bool
	trees  *[]store.Tree
	meter  *meter
	bytes  *int64 // size of the files found so far, over all stages
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

// room adds the files found to the total, and returns an error if this host has no room for that much.
func (g *gathering) room(found [][]Piece) error {
	if g.at.Room == nil {
		return nil
	}
	for _, pieces := range found {
		for _, p := range pieces {
			*g.bytes += p.File.Stored()
		}
	}
	return g.at.Room(*g.bytes)
}

// outputs asks the slotter where the outputs of one stage that the task reads are.
func (g *Gatherer) outputs(ctx context.Context, at Attempt, from spec.From) (*subjects.OutputsAnswer, error) {
	if from.Element {
		return g.cfg.Slotter.OutputOf(ctx, at.Task.Job, from.Stage, at.Task.Task)
	}
	return g.cfg.Slotter.Outputs(ctx, at.Task.Job, from.Stage)
}

// transport turns the error of a failed fetch into a refusal for transport. An error that already states
// its reason, and that of a full disk, stay as they are.
func transport(err error) error {
	if store.IsFull(err) || errors.As(err, new(refusal.Error)) {
		return err
	}
	return refusal.Decline(subjects.ReasonTransport, err)
}

// findOutput finds one task's output. If this host should have it but lacks it, or has it in another form
// than was committed, findOutput makes the keeper check the outputs of this host soon.
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

// list returns the files of an output, with the paths at which the task will read them. It links files of
// this host (see link).
func (g *gathering) list(ctx context.Context, from subjects.OutputHost, o subjects.Output, kept store.Folder, local bool) (pieces []Piece, err error) {
	m, err := g.manifest(ctx, from, o, kept, local)
	if err != nil {
		return nil, err
	}
	if g.only != "" { // an output may have hundreds of files
		file, ok := m.Lookup(g.only)
		if !ok {
			return nil, nil
		}
		p, err := g.piece(o, file, g.only, kept, local)
		return []Piece{p}, err
	}
	for _, file := range m.Files {
		p, err := g.piece(o, file, file.Path, kept, local)
		if err != nil {
			return nil, err
		}
		if file.Regular() || !g.linked {
			pieces = append(pieces, p)
		}
	}
	return pieces, nil
}

// piece returns a file of an output, which the task will find under a path below the output's folder. It makes
// links and empty folders in the task's in/ folder: nothing is fetched for them.
func (g *gathering) piece(o subjects.Output, file manifest.File, under string, kept store.Folder, local bool) (p Piece, err error) {
	p = Piece{From: g.from, Name: fmt.Sprintf("%05d/%s", o.Task, under), File: file}
	p.Path = filepath.Join(g.at.Folder.In(), g.name, filepath.FromSlash(p.Name))
	p.Local = local || !file.Regular()
	switch in := g.at.Folder.Inputs(); {
	case !file.Regular() && !g.linked: // whoever reads the pieces makes them
	case file.Folder:
		err = in.Make(p.Path)
	case file.Link != "":
		err = in.Symlink(file.Link, g.name, p.Name)
	case local:
		err = g.link(kept, &p)
	default:
		err = in.Make(filepath.Dir(p.Path))
	}
	return p, err
}

// link lets the task read a file of this host: through a link in its in/ folder if linked is set, else at
// the file's own path. It checks only the file's size: hashing would take longer than many of the tasks.
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

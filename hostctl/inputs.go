package hostctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"lull/client/fetch"
	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/manifest"
	"lull/subjects/spec"
)

// piece is a file of an earlier stage's output that a task reads.
type piece struct {
	from int    // index among the stages that the task's stage reads
	name string // below that stage's folder, with slashes: the task's number, then the file's path
	file manifest.File
	path string // its path on this host, now or once it is fetched
	here bool   // this host keeps it
}

// readingOf is the task's standard input.
func readingOf(pieces []piece) input {
	in := input{ranges: make([]spec.Range, len(pieces))}
	for i, p := range pieces {
		in.ranges[i] = spec.Range{Path: p.path, Size: p.file.Size, Length: p.file.Size}
	}
	return in
}

// gather finds the outputs of earlier stages that a task reads. It copies those of other
// hosts into the task's in/ folder, and with linked also links those of this host there.
func (a *Agent) gather(r *run, job *subjects.Submitted, linked bool) (all []piece, err error) {
	if err := r.folder.MakeIn(r.folder.In()); err != nil {
		return nil, err
	}
	for i, from := range job.Spec.Stages[r.Stage].From {
		if int(from.Stage) >= len(job.Spec.Stages) {
			return nil, decline(subjects.ReasonInput, fmt.Errorf("job %s has no stage %d", r.Job, from.Stage))
		}
		g := &gathering{a: a, r: r, from: i, of: from.Stage, linked: linked}
		if from.Partition {
			g.only = "part-" + strconv.FormatUint(uint64(r.TaskID.Task), 10)
		}
		g.name = job.Spec.Stages[from.Stage].Name
		find := g.stage
		if from.Partition && linked {
			find = g.partitions
		}
		pieces, err := find()
		if err != nil {
			return nil, err
		}
		all = append(all, pieces...)
	}
	return all, nil
}

// gathering is the gathering of one stage's outputs.
type gathering struct {
	a      *Agent
	r      *run
	from   int    // index among the stages that the task reads
	of     uint32 // index among the job's stages
	only   string // the one file of each output that the task reads; "" for all
	name   string // of the stage
	linked bool
}

// fetchesAtOnce is enough to hide round trips, and few enough not to load other hosts.
const fetchesAtOnce = 8

func (g *gathering) stage() ([]piece, error) {
	answer, err := g.a.slotter.Outputs(g.r.setup, g.r.Job, g.of)
	if err != nil {
		return nil, decline(subjects.ReasonTransport, err)
	}
	each := make([][]piece, len(answer.Outputs))
	group, ctx := errgroup.WithContext(g.r.setup)
	group.SetLimit(fetchesAtOnce)
	for i, o := range answer.Outputs {
		if int(o.Host) >= len(answer.Hosts) {
			return nil, errors.Join(decline(subjects.ReasonTransport, fmt.Errorf("output of task %d has no host", o.Task)), group.Wait())
		}
		group.Go(func() (err error) {
			each[i], err = g.take(ctx, answer.Hosts[o.Host], o)
			return err
		})
	}
	err = group.Wait()
	if err == nil {
		err = g.fetch(answer, each)
	}
	if err != nil {
		return nil, transport(err)
	}
	return slices.Concat(each...), nil
}

// smallPart is the largest file, in bytes, that is fetched with others in one request. A
// larger one gets a request of its own, which can be resumed.
const smallPart = 1 << 20

// fetch copies the outputs that other hosts keep.
func (g *gathering) fetch(answer *subjects.OutputsAnswer, each [][]piece) error {
	group, ctx := errgroup.WithContext(g.r.setup)
	group.SetLimit(fetchesAtOnce)
	small := map[subjects.OutputHost][]fetch.Part{}
	for i, o := range answer.Outputs {
		from := answer.Hosts[o.Host]
		for _, p := range each[i] {
			if p.here {
				continue
			}
			part := fetch.Part{Attempt: o.Attempt, File: p.file, To: p.path}
			if g.only != "" && p.file.Size <= smallPart {
				small[from] = append(small[from], part)
				continue
			}
			group.Go(func() error { return g.a.fetch.File(ctx, from, part.Attempt, part.File, part.To) })
		}
	}
	for from, parts := range small {
		for some := range slices.Chunk(parts, partsTogether) {
			group.Go(func() error { return g.a.fetch.Parts(ctx, from, some) })
		}
	}
	return group.Wait()
}

// partsTogether is the number of small files in one request: enough to hide its cost, few
// enough for several requests at once.
const partsTogether = 64

// transport is the reason of a fetch that failed, unless the disk is full, or
// what was fetched is at fault.
func transport(err error) error {
	if store.IsFull(err) || errors.As(err, new(refused)) {
		return err
	}
	return decline(subjects.ReasonTransport, err)
}

// take finds one task's output. If it is to be here and is not, or not as it was committed, the
// agent looks for itself.
func (g *gathering) take(ctx context.Context, from subjects.OutputHost, o subjects.Output) ([]piece, error) {
	if from.Host != g.a.cfg.Host {
		return g.list(ctx, from, o, store.Folder{}, false)
	}
	kept := g.a.store.Folder(store.Task{Job: g.r.Job, Stage: g.of, Task: o.Task}, o.Attempt)
	pieces, err := g.list(ctx, from, o, kept, true)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		g.a.kept.Missed()
		err = fmt.Errorf("the output of attempt %d is not in %s on this host any more: %w", o.Attempt, g.a.store.Root(), err)
	case err != nil:
		g.a.kept.Doubt(o.Attempt)
	}
	return pieces, err
}

// list finds the files of an output, and links what is here.
func (g *gathering) list(ctx context.Context, from subjects.OutputHost, o subjects.Output, kept store.Folder, local bool) (pieces []piece, err error) {
	m, err := g.a.manifest(ctx, from, o, kept, local)
	if err != nil {
		return nil, err
	}
	for _, file := range m.Files {
		if g.only != "" && file.Path != g.only {
			continue
		}
		p := piece{from: g.from, name: fmt.Sprintf("%05d/%s", o.Task, file.Path), file: file}
		p.path = filepath.Join(g.r.folder.In(), g.name, filepath.FromSlash(p.name))
		p.here = local
		if local {
			err = g.link(kept, &p)
		} else {
			err = g.r.folder.MakeIn(filepath.Dir(p.path))
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
func (g *gathering) link(kept store.Folder, p *piece) error {
	origin := filepath.Join(kept.Out(), filepath.FromSlash(p.file.Path))
	info, err := os.Lstat(origin)
	if err == nil && info.Mode().IsRegular() {
		err = p.file.Fits(info.Size())
	}
	if err != nil {
		return err
	}
	if g.linked {
		return g.r.folder.Link(origin, g.name, p.name)
	}
	p.path = origin
	return nil
}

func (a *Agent) manifest(ctx context.Context, from subjects.OutputHost, o subjects.Output, kept store.Folder, local bool) (manifest.Manifest, error) {
	return a.manifests.get(o.Attempt, func() (manifest.Manifest, error) {
		if local {
			return kept.Listed(o.Manifest)
		}
		return a.fetch.Manifest(ctx, from, o.Attempt, o.Manifest)
	})
}

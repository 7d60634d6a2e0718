package hostctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"lull/hostctl/store"
	"lull/subjects"
	"lull/subjects/spec"
)

// gather puts the outputs of earlier stages that a task reads into its in/
// folder: links to what this host keeps, copies of what others keep.
func (a *Agent) gather(r *run, job *subjects.Submitted) (input, error) {
	var in input
	if err := os.Mkdir(r.folder.In(), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return in, err
	}
	for _, from := range job.Spec.Stages[r.Stage].From {
		if int(from.Stage) >= len(job.Spec.Stages) {
			return in, decline(subjects.ReasonInput, fmt.Errorf("job %s has no stage %d", r.Job, from.Stage))
		}
		only := ""
		if from.Partition {
			only = "part-" + strconv.FormatUint(uint64(r.TaskID.Task), 10)
		}
		stage := filepath.Join(r.folder.In(), job.Spec.Stages[from.Stage].Name)
		if err := a.gatherStage(r, from, only, stage, &in); err != nil {
			return in, err
		}
	}
	return in, nil
}

func (a *Agent) gatherStage(r *run, from spec.From, only, dir string, in *input) error {
	answer, err := a.outputs(r.setup, r.Job, from.Stage)
	if err != nil {
		return decline(subjects.ReasonTransport, err)
	}
	for _, o := range answer.Outputs {
		if int(o.Host) >= len(answer.Hosts) {
			return decline(subjects.ReasonTransport, fmt.Errorf("output of task %d has no host", o.Task))
		}
		to := filepath.Join(dir, fmt.Sprintf("%05d", o.Task))
		if err := a.take(r.setup, answer.Hosts[o.Host], o, only, to, in); err != nil {
			return transport(err)
		}
	}
	return nil
}

// transport is the reason of a fetch that failed, unless the disk is full, or
// what was fetched is at fault.
func transport(err error) error {
	if store.IsFull(err) || errors.As(err, new(refused)) {
		return err
	}
	return decline(subjects.ReasonTransport, err)
}

// outputs asks the slotter where a stage's outputs are, page by page. Each
// page has hosts of its own.
func (a *Agent) outputs(ctx context.Context, job string, stage uint32) (*subjects.OutputsAnswer, error) {
	all := &subjects.OutputsAnswer{}
	for first := uint32(0); ; {
		page, err := a.outputsFrom(ctx, &subjects.OutputsAsk{Job: job, Stage: stage, First: first})
		if err != nil {
			return nil, fmt.Errorf("outputs of stage %d: %w", stage, err)
		}
		for _, o := range page.Outputs {
			o.Host += uint32(len(all.Hosts))
			all.Outputs = append(all.Outputs, o)
		}
		all.Hosts = append(all.Hosts, page.Hosts...)
		if page.Next <= first {
			return all, nil
		}
		first = page.Next
	}
}

func (a *Agent) outputsFrom(ctx context.Context, ask *subjects.OutputsAsk) (*subjects.OutputsAnswer, error) {
	body, err := subjects.Marshal(ask)
	if err != nil {
		return nil, err
	}
	reply, err := a.cfg.Lookup.Ask(ctx, subjects.AskOutputs, body)
	if err != nil {
		return nil, err
	}
	var answer subjects.OutputsAnswer
	if err := subjects.Unmarshal(reply, &answer); err != nil {
		return nil, err
	}
	if answer.Error != "" {
		return nil, errors.New(answer.Error)
	}
	return &answer, nil
}

// take brings one task's output into a folder; with only, that file alone.
func (a *Agent) take(ctx context.Context, from subjects.Source, o subjects.Output, only, dir string, in *input) error {
	kept, local := a.store.Find(o.Attempt)
	local = local && from.Host == a.cfg.Host
	m, err := a.manifest(ctx, from, o, kept, local)
	if err != nil {
		return err
	}
	for _, file := range m.Files {
		if only != "" && file.Path != only {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(file.Path))
		if local {
			err = link(filepath.Join(kept.Out(), filepath.FromSlash(file.Path)), path)
		} else {
			err = a.fetch.File(ctx, from, o.Attempt, file, path)
		}
		if err != nil {
			return err
		}
		in.ranges = append(in.ranges, spec.Range{Path: path, Size: file.Size, Length: file.Size})
	}
	return nil
}

func (a *Agent) manifest(ctx context.Context, from subjects.Source, o subjects.Output, kept store.Folder, local bool) (store.Manifest, error) {
	return a.manifests.get(o.Attempt, func() (store.Manifest, error) {
		if local {
			return kept.Listed(o.Manifest)
		}
		return a.fetch.Manifest(ctx, from, o.Attempt, o.Manifest)
	})
}

// link makes a hard link, and the folders above it when they are missing.
func link(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(to), 0o755); err == nil {
			err = os.Link(from, to)
		}
	}
	return err
}

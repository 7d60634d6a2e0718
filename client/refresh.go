package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"lull/client/bundle"
	"lull/client/pin"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// Files says what Refresh does with the files that were sent along with a job.
type Files struct {
	Folder string // of the document: where they are
	Keep   bool   // leave them as they were sent
}

// Refresh looks at the inputs of an ended job on this machine, and at the files that were sent along with it. It returns
// pins of those that changed, for Request.Refresh, and stores what these refer to. what says for each stage with pins
// which file changed.
func Refresh(ctx context.Context, c *Client, s *ledger.State, j *ledger.Job, files Files) (pins []subjects.Repinned, what map[uint32]string, err error) {
	if !s.AllRead(subjects.FormatRefresh) {
		return nil, nil, errors.New("a service or host of an earlier release cannot read new inputs of a job: upgrade it, or submit the job's document as a new job")
	}
	job := j.Spec()
	if len(job.Stages) == 0 {
		return nil, nil, fmt.Errorf("%s ended long ago, and its stages are not kept any more: submit its document as a new job", j.ID)
	}
	r := refresher{c: c, files: files, packed: map[string]resent{}}
	what = map[uint32]string{}
	for i := range job.Stages {
		p := subjects.Repinned{Stage: uint32(i)}
		why, err := r.stage(ctx, job, &job.Stages[i], &p)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: stage %s: %w", j.ID, job.Stages[i].Name, err)
		}
		if why != "" {
			pins, what[p.Stage] = append(pins, p), why
		}
	}
	return pins, what, nil
}

type refresher struct {
	c      *Client
	files  Files
	packed map[string]resent // by the content that was sent before
}

// resent is what became of files that were sent along.
type resent struct {
	now     spec.Sent
	changed []string
}

// stage pins a stage's inputs and files anew, and says what changed, "" for nothing.
func (r *refresher) stage(ctx context.Context, job *spec.Job, st *spec.Stage, p *subjects.Repinned) (string, error) {
	changed, err := r.sent(ctx, st, p)
	if err != nil {
		return "", err
	}
	splits, err := ReadSplits(ctx, r.c, st)
	if err != nil || !slices.ContainsFunc(splits, func(s spec.Split) bool { return len(s.Ranges) > 0 }) {
		return changes(changed), err
	}
	if job.Origin != "" && job.Origin != hostname() {
		return "", fmt.Errorf("its inputs were pinned on %s: run the command there", job.Origin)
	}
	files, err := pin.Again(ctx, splits)
	if err != nil || len(files) == 0 {
		return changes(changed), err
	}
	tasks, paths, err := repin(splits, files)
	if err != nil {
		return "", err
	}
	if len(changed) == 0 { // otherwise all tasks run again
		p.Tasks = tasks
	}
	return changes(append(changed, paths...)), r.keepSplits(ctx, p, splits)
}

// changes names what changed.
func changes(paths []string) string {
	switch len(paths) {
	case 0:
		return ""
	case 1:
		return paths[0] + " changed"
	}
	return fmt.Sprintf("%s and %d more changed", paths[0], len(paths)-1)
}

// keepSplits puts the splits into the pin, or into the pool if they are many.
func (r *refresher) keepSplits(ctx context.Context, p *subjects.Repinned, splits []spec.Split) error {
	var bytes int64
	for i := range splits {
		for _, at := range splits[i].Ranges {
			bytes += at.Length
		}
	}
	p.Bytes = bytes / int64(len(splits))
	if len(splits) <= inlineSplits && !slices.ContainsFunc(splits, notUTF8) {
		if body, err := json.Marshal(splits); err == nil && len(body) <= inlineBytes {
			p.Splits = splits
			return nil
		}
	}
	all := slices.Values(splits)
	l := list{tasks: len(splits), chunk: spec.ChunkOf(widest(all)), splits: all}
	p.Chunk = l.chunk
	var err error
	p.List, err = r.c.putChunks(ctx, l)
	return err
}

// sent packs the files anew that were sent along with a stage, and returns the paths of those that changed. All tasks
// of the stage run again if there are some: any of them may have read the file.
func (r *refresher) sent(ctx context.Context, st *spec.Stage, p *subjects.Repinned) (changed []string, err error) {
	if r.files.Keep {
		return nil, nil
	}
	all := make([]spec.Sent, 0, len(st.Sent))
	for _, sent := range st.Sent {
		if _, done := r.packed[sent.Content]; !done {
			if r.packed[sent.Content], err = r.pack(ctx, sent); err != nil {
				return nil, err
			}
		}
		now := r.packed[sent.Content]
		all, changed = append(all, now.now), append(changed, now.changed...)
	}
	if len(changed) > 0 {
		p.Sent, p.Tasks = all, []subjects.Span{{Count: st.Tasks}}
	}
	return changed, nil
}

func (r *refresher) pack(ctx context.Context, sent spec.Sent) (resent, error) {
	if err := r.c.mayRead(ctx, r.c.pool.Lists(), "read the files sent with a job"); err != nil {
		return resent{}, err
	}
	body, err := readChunk(ctx, r.c, sent.Content, 0)
	if err != nil {
		return resent{}, fmt.Errorf("the files sent with the job: %w", err)
	}
	var was spec.Bundle
	if err := subjects.Unmarshal(body, &was); err != nil {
		return resent{}, fmt.Errorf("the files sent with the job are damaged in the pool: submit its document as a new job: %w", err)
	}
	b, changed, err := bundle.Again(ctx, r.files.Folder, &was, sent.Names)
	if err != nil || len(changed) == 0 {
		return resent{now: sent}, err
	}
	if body, err = subjects.Marshal(b); err != nil {
		return resent{}, err
	}
	content, err := fileStore{r.c}.keep(ctx, body, sent.Names)
	return resent{spec.Sent{Content: content, Names: sent.Names}, changed}, err
}

// repin replaces the pins of changed files in splits, and returns the tasks and the paths that are concerned.
func repin(splits []spec.Split, files map[string]spec.File) (tasks []subjects.Span, paths []string, err error) {
	lines := readsLines(splits)
	for i := range splits {
		touched := false
		for k := range splits[i].Ranges {
			at := &splits[i].Ranges[k]
			f, changed := files[at.Path]
			if !changed {
				continue
			}
			if at.Offset != 0 || at.Length != at.Size {
				return nil, nil, fmt.Errorf("%s changed, and its tasks read parts of it, which would be others now: submit the job's document as a new job", at.Path)
			}
			ends := f.Unended && lines && k < len(splits[i].Ranges)-1
			*at = spec.Range{Path: f.Path, Size: f.Size, MTime: f.MTime, Tag: f.Tag, Length: f.Size, Ends: ends}
			touched, paths = true, append(paths, f.Path)
		}
		if touched {
			tasks = subjects.AppendTask(tasks, uint32(i))
		}
	}
	return tasks, paths, nil
}

// readsLines reports whether tasks that share files read them as lines, so that the last line of one stays apart from
// the first of the next: they do by split:, and by group: only with a header. Groups have equal numbers of files.
func readsLines(splits []spec.Split) bool {
	for i := range splits {
		if i < len(splits)-1 && len(splits[i].Ranges) != len(splits[0].Ranges) ||
			slices.ContainsFunc(splits[i].Ranges, func(r spec.Range) bool { return r.Ends }) {
			return true
		}
	}
	return false
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lull/cmd/lull/client"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// job is batch work as a job of a running lull.
type job struct {
	in     *instance
	groups *groups
	id     string
	flag   string
}

// startLull brings up a pool of this host. Its policy is fifo: what is measured
// is the host, so no slot stays empty for the pool's sake. Flags come after that.
func (s *stage) startLull(ctx context.Context, flags []string) error {
	binary, err := build(ctx, s.dir)
	if err != nil {
		return err
	}
	s.lull, err = up(ctx, binary, filepath.Join(s.dir, "data"), append([]string{"--policy", "fifo"}, flags...)...)
	return err
}

// submit hands a job of as many tasks as the other ways have processes over,
// and waits until tasks of it run.
func (s *stage) submit(ctx context.Context, kind string) (beside, error) {
	j := &job{in: s.lull, groups: s.groups, flag: s.nextFlag()}
	doc := &spec.Doc{Name: kind, Type: kind, Stages: []spec.DocStage{{
		Name: "task", Command: []string{s.batchBinary, "batch", kind, j.flag}, Tasks: uint32(copies[kind]),
	}}}
	before, err := j.cpu()
	if err != nil {
		return nil, err
	}
	if j.id, err = s.lull.Submit(ctx, doc, client.NewID()); err != nil {
		return nil, err
	}
	return j, j.runs(ctx, before+0.02)
}

// cpu is what lull's tasks have used.
func (j *job) cpu() (float64, error) { return j.groups.lullCPU() }

// runs waits until the tasks have used the CPU.
func (j *job) runs(ctx context.Context, enough float64) error {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		switch used, err := j.cpu(); {
		case err != nil:
			return err
		case used >= enough:
			return nil
		}
		if err := wait(limited, 10*time.Millisecond); err != nil {
			return fmt.Errorf("no task of job %s ran: %w", j.id, err)
		}
	}
}

// stop ends the tasks and waits until the job has ended. A guard that froze
// them first lets them go when the primary is calm, so that takes a while.
func (j *job) stop() error {
	if err := os.WriteFile(j.flag, nil, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	view, err := j.in.View(ctx)
	if err != nil {
		return err
	}
	if err := view.Until(ctx, ended(view, j.id)); err != nil {
		return fmt.Errorf("job %s did not end: %w", j.id, err)
	}
	if at := view.State.Job(j.id); at.Phase != ledger.Finished {
		return fmt.Errorf("job %s ended as %s: %s", j.id, at.Phase, at.Text)
	}
	return nil
}

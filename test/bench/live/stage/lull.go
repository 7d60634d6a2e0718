package stage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lull/client"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
)

// Job is batch work as a job of a running lull.
type Job struct {
	client *client.Client
	groups *host.Groups
	id     string
	flag   string
}

// Submit submits a job of tasks that compute until its flag is there. edit changes the document
// before.
func (s *Stage) Submit(ctx context.Context, c *client.Client, kind string, edit func(*spec.DocStage)) (*Job, error) {
	j := &Job{client: c, groups: s.Groups, flag: s.NextFlag()}
	doc := &spec.Doc{Name: kind, Type: kind, Stages: []spec.DocStage{{
		Name: "task", Command: []string{s.BatchBinary, "batch", kind, j.flag}, Tasks: uint32(Copies[kind]),
	}}}
	edit(&doc.Stages[0])
	var err error
	j.id, err = c.Submit(ctx, doc, client.NewID())
	return j, err
}

// startLull brings up a pool of this host. Its policy is fifo: what is measured
// is the host, so no slot stays empty for the pool's sake. Flags come after that.
func (s *Stage) startLull(ctx context.Context, flags []string) error {
	binary, err := host.Build(ctx, s.Dir)
	if err != nil {
		return err
	}
	s.Lull, err = host.Up(ctx, binary, filepath.Join(s.Dir, "data"), append([]string{"--policy", "fifo"}, flags...)...)
	return err
}

// submit hands a job of as many tasks as the other ways have processes over,
// and waits until tasks of it run.
func (s *Stage) submit(ctx context.Context, kind string) (Batch, error) {
	before, err := s.Groups.LullCPU()
	if err != nil {
		return nil, err
	}
	j, err := s.Submit(ctx, s.Lull.Client, kind, func(*spec.DocStage) {})
	if err != nil {
		return nil, err
	}
	return j, j.runs(ctx, before+0.02)
}

// CPU is what lull's tasks have used.
func (j *Job) CPU() (float64, error) { return j.groups.LullCPU() }

// runs waits until the tasks have used the CPU.
func (j *Job) runs(ctx context.Context, enough float64) error {
	limited, cancel := context.WithTimeout(ctx, host.Patience)
	defer cancel()
	for {
		switch used, err := j.CPU(); {
		case err != nil:
			return err
		case used >= enough:
			return nil
		}
		if err := host.Wait(limited, 10*time.Millisecond); err != nil {
			return fmt.Errorf("no task of job %s ran: %w", j.id, err)
		}
	}
}

// Stop ends the tasks and waits until the job has ended. A guard that froze them thaws them first
// when the primary is calm, so that takes a while.
func (j *Job) Stop() error {
	if err := os.WriteFile(j.flag, nil, 0o644); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*host.Patience)
	defer cancel()
	view, err := j.client.View(ctx)
	if err != nil {
		return err
	}
	if err := view.Until(ctx, host.Ended(view, j.id)); err != nil {
		return fmt.Errorf("job %s did not end: %w", j.id, err)
	}
	if at := view.State.Job(j.id); at.Phase != ledger.Finished {
		return fmt.Errorf("job %s ended as %s: %s", j.id, at.Phase, at.Text)
	}
	return nil
}

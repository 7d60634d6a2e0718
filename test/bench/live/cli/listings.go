package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/client"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
)

// submitters are how many jobs are handed over at once.
const submitters = 32

// listings fills a pool that is paused with hosts and jobs, and runs each command on it.
func listings(ctx context.Context, r *report.Report, in *host.Instance, binary string, n effort) error {
	job, err := fill(ctx, in, n)
	if err != nil {
		return err
	}
	file := filepath.Join(in.Dir, "one.yaml")
	if err := os.WriteFile(file, []byte("name: one\nstages: [{name: one, tasks: 1, command: [\"true\"]}]\n"), 0o600); err != nil {
		return err
	}
	for _, c := range []struct {
		args  []string
		bound float64 // ms
	}{
		{[]string{"jobs"}, 150}, {[]string{"hosts"}, 150}, {[]string{"job", job}, 150},
		{[]string{"queues"}, 150}, {[]string{"models"}, 150}, {[]string{"submit", file}, 100},
	} {
		took, err := times(ctx, binary, append(c.args, "--data", in.Dir), n.runs)
		if err != nil {
			return err
		}
		p99 := stat.Milliseconds(stat.Nearest(took, 0.99))
		r.Rows = append(r.Rows, report.Row{
			{Key: "what", Value: "lull " + c.args[0]}, {Key: "hosts", Value: n.hosts}, {Key: "jobs_or_tasks", Value: n.jobs},
			{Key: "runs", Value: n.runs}, {Key: "median", Value: stat.Milliseconds(stat.Nearest(took, 0.5))}, {Key: "p99", Value: p99}, {Key: "unit", Value: "ms"},
		})
		r.Checks = append(r.Checks, report.AtMost("lull "+c.args[0]+", p99 in ms", p99, c.bound))
	}
	return nil
}

// fill appends joins of hosts that do not exist, and submits jobs that wait. It returns one of
// them.
func fill(ctx context.Context, in *host.Instance, n effort) (job string, err error) {
	view, err := in.View(ctx)
	if err != nil {
		return "", err
	}
	if err := in.PauseAll(ctx, "benchmark"); err != nil {
		return "", err
	}
	var joined []subjects.Event
	for i := range n.hosts {
		joined = append(joined, &subjects.Joined{
			Host: fmt.Sprintf("host-%04d", i), Instance: "bench", Boot: "bench", Cores: 2, Slots: 2, Memory: 4 << 30, Format: subjects.Format,
		})
	}
	if err := in.Append(ctx, view.State, joined...); err != nil {
		return "", err
	}
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(submitters)
	for i := range n.jobs {
		group.Go(func() error {
			doc := &spec.Doc{Name: "wait", Stages: []spec.DocStage{{Name: "one", Command: []string{"true"}, Tasks: 1}}}
			id, err := in.Submit(limited, doc, client.NewID())
			if i == 0 {
				job = id
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return "", err
	}
	return job, view.Until(ctx, func() bool { return view.State.LiveJobs().Len() >= n.jobs })
}

// times runs a command again and again.
func times(ctx context.Context, binary string, args []string, runs int) ([]time.Duration, error) {
	took := make([]time.Duration, runs)
	for i := range took {
		begin := time.Now()
		if out, err := exec.CommandContext(ctx, binary, args...).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("lull %v: %w\n%s", args, err, out)
		}
		took[i] = time.Since(begin)
	}
	slices.Sort(took)
	return took, nil
}

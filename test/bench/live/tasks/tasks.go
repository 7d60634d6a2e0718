// Package tasks measures what a task costs that does nothing.
package tasks

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
	"lull/test/tables"
)

// size of a run of the tasks benchmark.
type size struct{ rounds, tasks, singles, large int }

var (
	fullSize  = size{rounds: 5, tasks: 3000, singles: 300, large: 100_000}
	quickSize = size{rounds: 1, tasks: 300, singles: 20, large: 2000}
)

// Table is the benchmark.
var Table = tables.Table{Name: "tasks", What: "no-op tasks end to end, beside xargs and the bare shim", Run: run}

// run runs no-op tasks end to end, with every event durable. Beside them, in interleaved rounds, it
// runs xargs doing the same, plainly and through the same shims, and the shims alone.
func run(ctx context.Context, quick bool) (*report.Report, error) {
	n := fullSize
	if quick {
		n = quickSize
	}
	r := &report.Report{}
	return r, host.WithInstance(ctx, func(in *host.Instance, binary, dir string) error {
		return measureTasks(ctx, r, in, binary, dir, n)
	})
}

func measureTasks(ctx context.Context, r *report.Report, in *host.Instance, binary, dir string, n size) error {
	if err := throughput(ctx, r, in, binary, dir, n); err != nil {
		return err
	}
	if err := starts(ctx, r, binary, dir, n); err != nil {
		return err
	}
	if err := latency(ctx, r, in, dir, n.singles); err != nil {
		return err
	}
	return memory(ctx, r, in, n.large)
}

// throughput compares tasks a second.
func throughput(ctx context.Context, r *report.Report, in *host.Instance, binary, dir string, n size) error {
	ways := []struct {
		name string
		run  func() (time.Duration, error)
	}{
		{"xargs", func() (time.Duration, error) { return xargs(ctx, n.tasks) }},
		{"xargs through the shims", func() (time.Duration, error) { return xargsThrough(ctx, binary, dir, n.tasks) }},
		{"shims alone", func() (time.Duration, error) { return shims(ctx, binary, dir, n.tasks) }},
		{"lull", func() (time.Duration, error) { return noops(ctx, in, n.tasks) }},
	}
	rates := make([][]float64, len(ways))
	for range n.rounds {
		for i, way := range ways {
			took, err := way.run()
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			rates[i] = append(rates[i], float64(n.tasks)/took.Seconds())
		}
	}
	for i, way := range ways {
		r.Rows = append(r.Rows, report.Row{
			{Key: "way", Value: way.name}, {Key: "tasks", Value: n.tasks}, {Key: "tasks_per_s", Value: stat.Median(rates[i])},
			{Key: "of_xargs", Value: stat.MedianRatio(rates[i], rates[0])},
			{Key: "of_xargs_through_shims", Value: stat.MedianRatio(rates[i], rates[1])}, {Key: "of_shims_alone", Value: stat.MedianRatio(rates[i], rates[2])},
		})
	}
	r.Checks = append(r.Checks,
		report.AtLeast("tasks/s, lull over xargs", stat.MedianRatio(rates[3], rates[0]), 0.4),
		report.AtLeast("tasks/s, lull over xargs through the shims", stat.MedianRatio(rates[3], rates[1]), 0.6),
		report.AtLeast("tasks/s, lull over the shims alone", stat.MedianRatio(rates[3], rates[2]), 0.6))
	r.Notes = append(r.Notes, "Each child of xargs through the shims is a process of its own that hands one task over.",
		"The shims alone are the limit: one driver, no process a task but the task.")
	return nil
}

func xargs(ctx context.Context, tasks int) (time.Duration, error) {
	script := fmt.Sprintf("seq %d | xargs -P%d -n1 /bin/true", tasks, runtime.NumCPU())
	start := time.Now()
	err := exec.CommandContext(ctx, "sh", "-c", script).Run()
	return time.Since(start), err
}

// noops runs a job of n no-op tasks and returns the time from its submission
// until its end stands in the log.
func noops(ctx context.Context, in *host.Instance, n int) (time.Duration, error) {
	view, err := in.View(ctx)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	job, err := submit(ctx, in, n)
	if err != nil {
		return 0, err
	}
	err = view.Until(ctx, host.Ended(view, job))
	took := time.Since(start)
	if j := view.State.Job(job); err == nil && j.Phase != ledger.Finished {
		err = fmt.Errorf("job %s ended as %s: %s", job, j.Phase, j.Text)
	}
	return took, err
}

func submit(ctx context.Context, in *host.Instance, n int) (string, error) {
	doc, err := spec.Parse([]byte(
		`{"name": "noop", "stages": [{"name": "true", "command": ["/bin/true"], "memory": "16MB", "tasks": ` + strconv.Itoa(n) + `}]}`))
	if err != nil {
		return "", err
	}
	return in.Submit(ctx, doc, client.NewID())
}

// latency measures from before the publish of a job with one task to the start
// of the task's process, beside an fsync on the same disk.
func latency(ctx context.Context, r *report.Report, in *host.Instance, dir string, singles int) error {
	// One view for all: each folds the whole log first, which keeps the server
	// busy for a while.
	view, err := in.View(ctx)
	if err != nil {
		return err
	}
	var took []time.Duration
	for range singles {
		d, err := toStart(ctx, in, view)
		if err != nil {
			return err
		}
		took = append(took, d)
	}
	syncs, err := fsyncs(dir, singles)
	if err != nil {
		return err
	}
	for _, row := range []struct {
		what string
		took []time.Duration
	}{{"submit to first task start", took}, {"fsync of 4 KiB", syncs}} {
		r.Rows = append(r.Rows, report.Row{
			{Key: "what", Value: row.what}, {Key: "n", Value: len(row.took)},
			{Key: "p50_ms", Value: stat.Milliseconds(stat.Nearest(row.took, .5))}, {Key: "p99_ms", Value: stat.Milliseconds(stat.Nearest(row.took, .99))},
		})
	}
	bound := 10 + 6*stat.Milliseconds(stat.Nearest(syncs, .99))
	r.Checks = append(r.Checks, report.AtMost("submit to first task start, p99 ms, against 10 + 6 fsyncs' p99",
		stat.Milliseconds(stat.Nearest(took, .99)), bound))
	return nil
}

func toStart(ctx context.Context, in *host.Instance, view *client.View) (time.Duration, error) {
	var began int64
	view.Each = func(e client.Entry) {
		switch e := e.Event.(type) {
		case *subjects.Started:
			began = e.At
		case *subjects.Finished:
			began = e.Start
		}
	}
	start := time.Now()
	job, err := submit(ctx, in, 1)
	if err != nil {
		return 0, err
	}
	if err := view.Until(ctx, host.Ended(view, job)); err != nil {
		return 0, err
	}
	return time.Duration(began - start.UnixNano()), nil
}

// memory runs a large job and reads the process's peak.
func memory(ctx context.Context, r *report.Report, in *host.Instance, n int) error {
	took, err := noops(ctx, in, n)
	if err != nil {
		return err
	}
	peak, err := in.Peak()
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, report.Row{
		{Key: "what", Value: "one large job"}, {Key: "tasks", Value: n},
		{Key: "seconds", Value: took.Seconds()}, {Key: "peak_MB", Value: float64(peak) / 1e6},
	})
	r.Checks = append(r.Checks, report.AtMost("peak memory of the whole process, MB", float64(peak)/1e6, 150))
	return nil
}

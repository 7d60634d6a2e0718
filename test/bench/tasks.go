package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"time"

	"lull/cmd/lull/client"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/test/report"
)

// size of a run of the tasks benchmark.
type size struct{ rounds, tasks, singles, large int }

var (
	fullSize  = size{rounds: 5, tasks: 3000, singles: 300, large: 100_000}
	quickSize = size{rounds: 1, tasks: 300, singles: 20, large: 2000}
)

// tasks runs no-op tasks end to end, with every event durable, beside xargs
// doing the same, plainly and through the same shims, and beside the shims
// alone, in interleaved rounds.
func tasks(ctx context.Context, quick bool) (*report.Report, error) {
	n := fullSize
	if quick {
		n = quickSize
	}
	r := &report.Report{Name: "tasks"}
	return r, withInstance(ctx, func(in *instance, binary, dir string) error {
		return measureTasks(ctx, r, in, binary, dir, n)
	})
}

func measureTasks(ctx context.Context, r *report.Report, in *instance, binary, dir string, n size) error {
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
func throughput(ctx context.Context, r *report.Report, in *instance, binary, dir string, n size) error {
	ways := []struct {
		name string
		run  func() (time.Duration, error)
	}{
		{"xargs", func() (time.Duration, error) { return xargs(ctx, n.tasks) }},
		{"xargs through the shims", func() (time.Duration, error) { return xargsThrough(ctx, binary, dir, n.tasks) }},
		{"shims alone", func() (time.Duration, error) { return shims(ctx, binary, dir, n.tasks) }},
		{"lull", func() (time.Duration, error) { return in.noops(ctx, n.tasks) }},
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
			{Key: "way", Value: way.name}, {Key: "tasks", Value: n.tasks}, {Key: "tasks_per_s", Value: median(rates[i])},
			{Key: "of_xargs", Value: ratio(rates[i], rates[0])},
			{Key: "of_xargs_through_shims", Value: ratio(rates[i], rates[1])}, {Key: "of_shims_alone", Value: ratio(rates[i], rates[2])},
		})
	}
	r.Checks = append(r.Checks,
		report.AtLeast("tasks/s, lull over xargs", ratio(rates[3], rates[0]), 0.4),
		report.AtLeast("tasks/s, lull over xargs through the shims", ratio(rates[3], rates[1]), 0.6),
		report.AtLeast("tasks/s, lull over the shims alone", ratio(rates[3], rates[2]), 0.6))
	r.Notes = append(r.Notes, "Each child of xargs through the shims is a process of its own that hands one task over.",
		"The shims alone are the limit: one driver, no process a task but the task.")
	return nil
}

// ratio is the median of the rounds' ratios: both sides of one round ran
// within seconds of each other.
func ratio(a, b []float64) float64 {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return median(each)
}

func xargs(ctx context.Context, tasks int) (time.Duration, error) {
	script := fmt.Sprintf("seq %d | xargs -P%d -n1 /bin/true", tasks, runtime.NumCPU())
	start := time.Now()
	err := exec.CommandContext(ctx, "sh", "-c", script).Run()
	return time.Since(start), err
}

// noops runs a job of n no-op tasks and returns the time from its submission
// until its end stands in the log.
func (in *instance) noops(ctx context.Context, n int) (time.Duration, error) {
	view, err := in.View(ctx)
	if err != nil {
		return 0, err
	}
	start := time.Now()
	job, err := in.submit(ctx, n)
	if err != nil {
		return 0, err
	}
	err = view.Until(ctx, ended(view, job))
	took := time.Since(start)
	if j := view.State.Job(job); err == nil && j.Phase != ledger.Finished {
		err = fmt.Errorf("job %s ended as %s: %s", job, j.Phase, j.Text)
	}
	return took, err
}

func ended(view *client.View, job string) func() bool {
	return func() bool {
		j := view.State.Job(job)
		return j != nil && j.Phase.Ended()
	}
}

func (in *instance) submit(ctx context.Context, n int) (string, error) {
	doc, err := spec.Parse([]byte(
		`{"name": "noop", "stages": [{"name": "true", "command": ["/bin/true"], "memory": "16MB", "tasks": ` + strconv.Itoa(n) + `}]}`))
	if err != nil {
		return "", err
	}
	return in.Submit(ctx, doc, client.NewID())
}

// latency measures from before the publish of a job with one task to the start
// of the task's process, beside an fsync on the same disk.
func latency(ctx context.Context, r *report.Report, in *instance, dir string, singles int) error {
	// One view for all: each folds the whole log first, which keeps the server
	// busy for a while.
	view, err := in.View(ctx)
	if err != nil {
		return err
	}
	var took []time.Duration
	for range singles {
		d, err := in.toStart(ctx, view)
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
			{Key: "p50_ms", Value: ms(quantile(row.took, .5))}, {Key: "p99_ms", Value: ms(quantile(row.took, .99))},
		})
	}
	bound := 10 + 6*ms(quantile(syncs, .99))
	r.Checks = append(r.Checks, report.AtMost("submit to first task start, p99 ms, against 10 + 6 fsyncs' p99",
		ms(quantile(took, .99)), bound))
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func (in *instance) toStart(ctx context.Context, view *client.View) (time.Duration, error) {
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
	job, err := in.submit(ctx, 1)
	if err != nil {
		return 0, err
	}
	if err := view.Until(ctx, ended(view, job)); err != nil {
		return 0, err
	}
	return time.Duration(began - start.UnixNano()), nil
}

// memory runs a large job and reads the process's peak.
func memory(ctx context.Context, r *report.Report, in *instance, n int) error {
	took, err := in.noops(ctx, n)
	if err != nil {
		return err
	}
	peak, err := in.peak()
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

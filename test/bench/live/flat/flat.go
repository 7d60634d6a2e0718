// Package flat measures whether a pool's throughput stays as it is while jobs come and go, and what a
// large job takes.
package flat

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"lull/client"
	"lull/subjects"
	"lull/subjects/spec"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark.
var Table = tables.Table{Name: "flat", What: "jobs of one task through the live services: the last tenth beside the first; one large job", Run: run}

const (
	// open is the number of jobs that are open at once: each that ends makes room for another.
	open = 256
	// parts of a run.
	parts = 10
)

func run(ctx context.Context, quick bool) (*report.Report, error) {
	n := 20_000
	if quick {
		n = 2000
	}
	r := &report.Report{Notes: []string{
		fmt.Sprintf("lull up and a stand-in of a host that ends each task at once; %d jobs are open at a time. CPU is that of", open),
		"lull up, with the server, the services and an agent that folds the log. Others' load changes the rates, not the CPU.",
	}}
	var marks []mark
	err := withStandIn(ctx, func(ctx context.Context, in *host.Instance) (err error) {
		marks, err = jobs(ctx, in, n)
		return err
	})
	if err != nil {
		return nil, err
	}
	addRows(r, marks, n)
	return r, withStandIn(ctx, func(ctx context.Context, in *host.Instance) error { return large(ctx, r, in, 5*n) })
}

// withStandIn runs f beside a new lull up, in whose pool a stand-in ends tasks.
func withStandIn(ctx context.Context, f func(ctx context.Context, in *host.Instance) error) error {
	return host.WithInstance(ctx, func(in *host.Instance, _, _ string) error {
		ctx, cancel := context.WithCancel(ctx)
		s, err := join(ctx, in)
		if err != nil {
			cancel()
			return err
		}
		err = f(ctx, in)
		cancel()
		return errors.Join(err, s.end())
	})
}

// mark is when a part of the jobs had ended.
type mark struct {
	at       time.Time
	cpu      time.Duration // of lull up until then
	resident int64
}

// jobs runs so many jobs through the pool, and returns the marks of its parts.
func jobs(ctx context.Context, in *host.Instance, n int) ([]mark, error) {
	view, err := in.View(ctx)
	if err != nil {
		return nil, err
	}
	places := make(chan struct{}, open)
	ended, marks := 0, []mark{}
	group, ctx := errgroup.WithContext(ctx)
	var failed error
	view.Each = func(e client.Entry) {
		switch e := e.Event.(type) {
		case *subjects.JobFinished:
			<-places
			if ended++; ended%(n/parts) == 0 {
				failed = errors.Join(failed, note(&marks, in.PID()))
			}
		case *subjects.JobFailed, *subjects.Rejected:
			failed = errors.Join(failed, fmt.Errorf("job %s failed or was rejected", subjects.JobOf(e)))
		}
	}
	if err := note(&marks, in.PID()); err != nil {
		return nil, err
	}
	group.Go(func() error { return submit(ctx, in, n, places) })
	group.Go(func() error {
		if err := view.Until(ctx, func() bool { return ended >= n || failed != nil }); err != nil {
			return err
		}
		return failed
	})
	err = group.Wait()
	return marks, err
}

// submitters are how many jobs are handed over at once.
const submitters = 32

// submit hands jobs over, each once there is a place for it.
func submit(ctx context.Context, in *host.Instance, n int, places chan<- struct{}) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(submitters)
	for range n {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return group.Wait()
		}
		group.Go(func() error {
			_, err := in.Submit(ctx, document(1), client.NewID())
			return err
		})
	}
	return group.Wait()
}

// document is a job of the stand-in's.
func document(tasks int) *spec.Doc {
	return &spec.Doc{Name: "one", Stages: []spec.DocStage{{
		Name: "one", Command: []string{"true"}, Tasks: uint32(tasks), Where: map[string]string{"stand-in": "yes"},
	}}}
}

func note(marks *[]mark, pid int) error {
	m := mark{at: time.Now()}
	var err error
	if m.cpu, err = host.CPUTime(pid); err != nil {
		return err
	}
	m.resident, err = host.Status(pid, "VmRSS:")
	*marks = append(*marks, m)
	return err
}

func addRows(r *report.Report, marks []mark, n int) {
	each := float64(n / parts)
	var rates, costs []float64
	for i, m := range marks[1:] {
		before := marks[i]
		rate, cost := each/m.at.Sub(before.at).Seconds(), float64(m.cpu-before.cpu)/1e6/each
		rates, costs = append(rates, rate), append(costs, cost)
		r.Rows = append(r.Rows, report.Row{
			{Key: "jobs_ended", Value: (i + 1) * n / parts}, {Key: "tasks_per_s", Value: rate},
			{Key: "cpu_ms_each", Value: cost}, {Key: "resident_MB", Value: float64(m.resident) / 1e6},
		})
	}
	last := len(rates) - 1
	r.Checks = append(r.Checks,
		report.AtLeast("tasks/s of the last tenth over the first's", rates[last]/rates[0], 0.8),
		report.AtLeast("CPU of a job in the first tenth over that in the last", costs[0]/costs[last], 0.8))
}

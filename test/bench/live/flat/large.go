package flat

import (
	"context"
	"time"

	"lull/client"
	"lull/test/bench/live/host"
	"lull/test/report"
)

// large runs one job of so many tasks.
func large(ctx context.Context, r *report.Report, in *host.Instance, tasks int) error {
	view, err := in.View(ctx)
	if err != nil {
		return err
	}
	before, err := host.CPUTime(in.PID())
	if err != nil {
		return err
	}
	start := time.Now()
	job, err := in.Submit(ctx, document(tasks), client.NewID())
	if err != nil {
		return err
	}
	if err := view.Until(ctx, host.Ended(view, job)); err != nil {
		return err
	}
	took := time.Since(start)
	after, err := host.CPUTime(in.PID())
	if err != nil {
		return err
	}
	peak, err := in.Peak()
	if err != nil {
		return err
	}
	r.Rows = append(r.Rows, report.Row{
		{Key: "tasks_of_a_job", Value: tasks}, {Key: "tasks_per_s", Value: float64(tasks) / took.Seconds()},
		{Key: "cpu_ms_each", Value: float64(after-before) / 1e6 / float64(tasks)}, {Key: "peak_MB", Value: float64(peak) / 1e6},
	})
	r.Checks = append(r.Checks, report.AtMost("peak memory of lull up with a large job, MB", float64(peak)/1e6, 150))
	return nil
}

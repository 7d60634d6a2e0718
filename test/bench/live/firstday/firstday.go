// Package firstday measures what a newcomer's first jobs are promised, and what they take: on a
// pool that has run nothing before, on this machine at rest and beside a busy primary.
package firstday

import (
	"context"
	"fmt"
	"os"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark.
var Table = tables.Table{Name: "firstday", What: "predicted against true ends of a new pool's first jobs, at rest and beside a primary", Run: run}

// settle is how long a level of the primary stands before the jobs: what hosts say of it is
// a mean over ten seconds.
const settle = 12 * time.Second

func run(ctx context.Context, quick bool) (*report.Report, error) {
	levels := []float64{0, 0.6, 0.9}
	jobs, wait := jobs(), settle
	if quick {
		levels, jobs, wait = levels[1:2], jobs[3:5], 2*time.Second
	}
	r := &report.Report{Notes: []string{
		"The times are seconds from submission to the end: the true one, and as it was predicted when the job was admitted,",
		"and when a tenth, half and nine tenths of its tasks were done. - : it ended before anything was predicted.",
		"All jobs run once, and then once more.",
	}}
	var first, second tally
	for _, level := range levels {
		// A pool of its own: each level is a first day.
		err := host.WithInstance(ctx, func(in *host.Instance, _, dir string) error {
			return day{in, dir, level, r, [2]*tally{&first, &second}}.run(ctx, jobs, wait)
		})
		if err != nil {
			return r, err
		}
	}
	r.Checks = append(r.Checks,
		report.AtLeast("first runs: predictions after a tenth of the tasks within ±50 % of the time, share", first.later.share(), 0.9),
		report.AtLeast("second runs: predictions at admission within ±50 % of the time, share", second.admitted.share(), 0.5),
		report.AtMost("jobs rejected", float64(first.rejected+second.rejected), 0))
	return r, nil
}

// tally counts predictions at the admission of jobs, and after a tenth of their tasks.
type tally struct {
	admitted, later accuracy
	rejected        int
}

func (t *tally) count(o outcome) {
	if o.rejected {
		t.rejected++
	}
	t.admitted.count(o.predicted[0], o.took)
	for _, predicted := range o.predicted[1:] {
		t.later.count(predicted, o.took)
	}
}

// accuracy counts predictions that were within half of the true time.
type accuracy struct{ near, far int }

func (a *accuracy) count(predicted, took float64) {
	switch {
	case predicted <= 0:
	case 0.5*took <= predicted && predicted <= 1.5*took:
		a.near++
	default:
		a.far++
	}
}

func (a *accuracy) share() float64 { return float64(a.near) / float64(max(a.near+a.far, 1)) }

// day is one level of the primary.
type day struct {
	in    *host.Instance
	dir   string
	level float64
	r     *report.Report
	runs  [2]*tally // the first of each job, and the second
}

func (d day) run(ctx context.Context, jobs []job, wait time.Duration) error {
	load, err := host.StartDriven(ctx, d.dir, 1)
	if err != nil {
		return err
	}
	defer load.Stop()
	if err := load.Set(d.level); err != nil {
		return err
	}
	if err := host.Wait(ctx, wait); err != nil {
		return err
	}
	for run := range d.runs {
		for _, j := range jobs {
			if err := d.follow(ctx, run, j); err != nil {
				return fmt.Errorf("%s: %w", j.name, err)
			}
		}
	}
	return nil
}

func (d day) follow(ctx context.Context, run int, j job) error {
	folder, err := os.MkdirTemp(d.dir, j.name+"-")
	if err != nil {
		return err
	}
	o, err := follow(ctx, d.in.Client, j, folder)
	if err != nil {
		return err
	}
	d.runs[run].count(o)
	d.r.Rows = append(d.r.Rows, o.row(j.name, d.level, run+1))
	return nil
}

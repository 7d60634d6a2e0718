// Package full measures what a host without CPU to spare does for batch work: lull run beside xargs in the
// kernel's idle class, with the same primary and the same work.
package full

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
)

// Table is the benchmark.
var Table = tables.Table{Name: "full", What: "lull run beside xargs in the idle class, on a host whose primary wants up to twice its cores", Flags: measured.flags, Run: measured.run}

var measured measurement

// measurement is what is measured: each work at each load, by both programs in turn.
type measurement struct {
	limit time.Duration // for each run
	loop  time.Duration // that the loop takes on an idle core

	dir, binary, primary string
	start                time.Duration // of lull run, on an idle host
	report               report.Report
}

func (m *measurement) flags(set *flag.FlagSet) {
	set.DurationVar(&m.limit, "limit", 4*time.Minute, "how long a run may take; then the work that it has done counts")
	set.DurationVar(&m.loop, "loop", 2*time.Minute, "how long the loop takes on an idle core")
}

// loads are what the primary wants, in all cores of the host.
var loads = []float64{0, 0.9, 1, 1.5, 2}

const (
	mostTime  = 1.15 // of lull run over xargs
	leastWork = 1.0  // beside a primary that wants twice the cores
)

func (m *measurement) run(ctx context.Context, quick bool) (_ *report.Report, err error) {
	if quick {
		m.limit, m.loop = 15*time.Second, 2*time.Second
	}
	if m.dir, err = os.MkdirTemp("", "lull-bench-"); err != nil {
		return nil, err
	}
	defer os.RemoveAll(m.dir) //nolint:errcheck // a leftover in the temporary folder
	if m.binary, err = host.Build(ctx, m.dir); err != nil {
		return nil, err
	}
	if m.primary, err = host.BuildCommand(ctx, m.dir, "./test/bench/primary"); err != nil {
		return nil, err
	}
	works, err := m.works(ctx)
	if err != nil {
		return nil, err
	}
	if err := m.measureStart(ctx); err != nil {
		return nil, err
	}
	for _, load := range tables.Some(quick, loads, 0, 4) {
		if err := m.measure(ctx, load, works); err != nil {
			return &m.report, err
		}
	}
	m.report.Notes = append(m.report.Notes, fmt.Sprintf("lull run takes %.2f s to start, which its times include and the checks leave out; a run ends after %v", m.start.Seconds(), m.limit))
	return &m.report, nil
}

// measureStart measures how long lull run takes for a task that does nothing.
func (m *measurement) measureStart(ctx context.Context) error {
	nothing := work{name: "nothing", script: "echo {}", values: 1}
	for range 3 {
		r, err := m.lull(ctx, nothing)
		if err != nil {
			return err
		}
		if m.start == 0 || r.took < m.start {
			m.start = r.took
		}
	}
	return nil
}

// measure runs all works beside a primary of this load.
func (m *measurement) measure(ctx context.Context, load float64, works []work) (err error) {
	stop, err := startPrimary(m.primary, load)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	for _, w := range works {
		rival, err := m.xargs(ctx, w)
		if err != nil {
			return err
		}
		lull, err := m.lull(ctx, w)
		if err != nil {
			return err
		}
		m.add(load, w, "xargs", rival)
		m.add(load, w, "lull run", lull)
		m.check(load, w, rival, lull)
	}
	return nil
}

func (m *measurement) add(load float64, w work, program string, r result) {
	m.report.Rows = append(m.report.Rows, report.Row{
		{Key: "primary", Value: fmt.Sprintf("%.0f %%", 100*load)}, {Key: "work", Value: w.name}, {Key: "program", Value: program},
		{Key: "seconds", Value: r.took.Seconds()}, {Key: "done", Value: fmt.Sprintf("%d of %d", r.done, w.lines())}, {Key: "evictions", Value: r.evictions},
	})
}

// check compares times where the rival ended in time, and the work that was done elsewhere.
func (m *measurement) check(load float64, w work, rival, lull result) {
	at := fmt.Sprintf("%s beside %.0f %%: ", w.name, 100*load)
	if rival.done == w.lines() && lull.done == w.lines() {
		m.report.Checks = append(m.report.Checks, report.AtMost(at+"lull run without its start over xargs, wall time",
			(lull.took-m.start).Seconds()/rival.took.Seconds(), mostTime))
	} else {
		m.report.Checks = append(m.report.Checks, report.AtLeast(at+"lull run over xargs, work done", float64(lull.done)/float64(max(rival.done, 1)), leastWork))
	}
	m.report.Checks = append(m.report.Checks, report.AtMost(at+"evictions", float64(lull.evictions), 0))
}

func (m *measurement) path(name string) string { return filepath.Join(m.dir, name) }

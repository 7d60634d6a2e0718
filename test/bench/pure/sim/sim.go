// Package sim measures the simulator.
package sim

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"lull/sim"
	"lull/test/bench/live/host"
	"lull/test/bench/pure/cputime"
	"lull/test/report"
)

// simulated is what the simulator is measured on.
type simulated struct {
	name     string
	seeds    int
	scenario func(seed uint64) (sim.Scenario, error)
	checks   func(c cost) []report.Check
}

// cost is what the runs of a scenario took, all seeds together.
type cost struct {
	runs      int
	result    *sim.Result // of the last seed
	events    int         // entries of the log, their folds, samples of telemetry
	wall, cpu time.Duration
	peak      int64 // bytes resident at most, so far if the kernel cannot forget it
}

func (c cost) perSecond() float64 { return float64(c.events) / c.cpu.Seconds() }

func (c cost) seconds() float64 { return c.cpu.Seconds() / float64(c.runs) }

// all are the scenarios.
func (d *daySource) all() []simulated {
	return []simulated{
		{"case study", 3, caseStudy, func(c cost) []report.Check {
			return []report.Check{report.AtMost("CPU s a seed, case study", c.seconds(), 1)}
		}},
		{"brisk pool", 1, briskPool, func(c cost) []report.Check {
			return []report.Check{report.AtLeast("events a CPU s, brisk pool", c.perSecond(), 200_000)}
		}},
		{"day", 1, d.scenario, func(c cost) []report.Check {
			return []report.Check{report.AtMost("CPU s, a day of 600 hosts", c.seconds(), 60)}
		}},
		{"centre", 1, dataCentre, func(c cost) []report.Check {
			return []report.Check{
				report.AtMost("CPU s, 30 days of 4,000 hosts, a million attempts", c.seconds(), 300),
				report.AtMost("peak MB, 30 days of 4,000 hosts", float64(c.peak)/1e6, 2000),
			}
		}},
	}
}

// simulation measures scenarios of growing size.
func (d *daySource) simulation(ctx context.Context, quick bool) (*report.Report, error) {
	all := d.all()
	if quick {
		all = all[:2]
	}
	if d.only != "" {
		all = slices.DeleteFunc(all, func(s simulated) bool { return s.name != d.only })
	}
	r := &report.Report{Notes: []string{
		"An event is an entry of the log, its fold by one reader, or a sample of telemetry taken in by one service.",
		"Figures are of one seed; CPU is the process's, garbage collection included: a run has one goroutine, so on an",
		"idle machine it takes no longer. peak_mb is the largest resident set so far, if the kernel cannot forget it.",
		"Every host sends its usage every second. Equal digests mean equal logs: no decision differs.",
		"The row centre is coarse: hosts tell of whole cores.",
		"The row lull sim is the command on files of 50 hosts and 300 jobs, all policies together.",
	}}
	if d.only == fileRow || d.only == "" && !quick {
		row, checks, err := fromFiles(ctx)
		if err != nil {
			return nil, err
		}
		r.Rows, r.Checks = append(r.Rows, row), checks
	}
	for _, s := range all {
		c, err := s.measure(ctx)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		r.Rows, r.Checks = append(r.Rows, c.row(s.name)), append(r.Checks, s.checks(c)...)
	}
	if len(r.Rows) == 0 {
		return nil, fmt.Errorf("--only %s: no such row", d.only)
	}
	return r, nil
}

func (s *simulated) measure(ctx context.Context) (c cost, err error) {
	runtime.GC()
	// 5 resets the peak of the resident set: see proc_pid_clear_refs(5).
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	for seed := uint64(1); seed <= uint64(s.seeds); seed++ {
		scenario, err := s.scenario(seed)
		if err != nil {
			return c, err
		}
		start, before := time.Now(), cputime.Used()
		if c.result, err = sim.Run(ctx, scenario); err != nil {
			return c, err
		}
		c.wall += time.Since(start)
		c.cpu += cputime.Used() - before
		c.runs++
		c.events += c.result.Events + c.result.Folded + c.result.Samples
	}
	c.peak, err = host.Status(os.Getpid(), "VmHWM:")
	return c, err
}

func (c cost) row(name string) report.Row {
	r := c.result
	return report.Row{
		{Key: "scenario", Value: name}, {Key: "virtual_h", Value: r.End.Hours()}, {Key: "tasks", Value: len(r.Runs)},
		{Key: "entries", Value: r.Events}, {Key: "folds", Value: r.Folded}, {Key: "samples", Value: r.Samples},
		{Key: "heap_steps", Value: r.Steps}, {Key: "wall_s", Value: c.wall.Seconds() / float64(c.runs)}, {Key: "cpu_s", Value: c.seconds()},
		{Key: "events_per_cpu_s", Value: c.perSecond()}, {Key: "peak_mb", Value: float64(c.peak) / 1e6},
		{Key: "digest", Value: fmt.Sprintf("%x", r.Digest[:6])},
	}
}

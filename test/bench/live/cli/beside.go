package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
)

// nap is what each task does: 20 ms in which it needs no CPU, as most short commands that wait
// for files or others.
const nap = "sleep 0.02"

// beside runs the same values through GNU parallel and lull, in interleaved rounds.
func beside(ctx context.Context, r *report.Report, n effort) error {
	rival, err := exec.LookPath("parallel")
	if err != nil {
		r.Notes = append(r.Notes, "GNU parallel is not installed here: its row is left out.")
		return nil
	}
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	binary, err := host.Build(ctx, dir)
	if err != nil {
		return err
	}
	var values strings.Builder
	for i := range n.tasks {
		values.WriteString(strconv.Itoa(i) + "\n")
	}
	programs := []struct {
		name string
		argv []string
		took []float64
	}{
		{name: "parallel", argv: []string{rival, "--will-cite", nap + "; echo {}"}},
		{name: "lull run --each -", argv: []string{binary, "run", "--data", filepath.Join(dir, "data"), "--each", "-", "--", nap + "; echo {}"}},
	}
	for range n.rounds {
		for i := range programs {
			p := &programs[i]
			seconds, err := through(ctx, p.argv, values.String(), n.tasks)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			p.took = append(p.took, seconds)
		}
	}
	for _, p := range programs {
		r.Rows = append(r.Rows, report.Row{
			{Key: "what", Value: p.name}, {Key: "hosts", Value: 1}, {Key: "jobs_or_tasks", Value: n.tasks},
			{Key: "runs", Value: n.rounds}, {Key: "median", Value: stat.Median(p.took)}, {Key: "p99", Value: "-"}, {Key: "unit", Value: "s"},
		})
	}
	r.Checks = append(r.Checks, report.AtMost("lull run --each - over GNU parallel, wall time", stat.MedianRatio(programs[1].took, programs[0].took), 1.15))
	return nil
}

// through is how many seconds a program takes for the values, of which each makes one line.
func through(ctx context.Context, argv []string, values string, lines int) (float64, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin = strings.NewReader(values)
	begin := time.Now()
	out, err := cmd.Output()
	took := time.Since(begin).Seconds()
	if err != nil {
		return 0, err
	}
	if n := strings.Count(string(out), "\n"); n != lines {
		return 0, fmt.Errorf("it printed %d lines of %d", n, lines)
	}
	return took, nil
}

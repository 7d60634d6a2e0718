package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"lull/test/bench/live/host"
	"lull/test/report"
)

// A user's files: hosts with a sample every five minutes for two days, and jobs that come
// in that time.
const (
	fileHosts = 50
	fileJobs  = 300
	fileDays  = 2
)

// fileRow is the row of the command `lull sim`.
const fileRow = "lull sim"

// replayed is what one policy's run of `lull sim` says of itself.
type replayed struct {
	Policy   string
	Attempts float64
	Events   float64
	Span     float64 `json:"span_s"`
	Jobs     float64
	Rejected float64
}

// fromFiles measures the command `lull sim` on files, as its user starts it: the binary is
// built, and all else counts.
func fromFiles(ctx context.Context) (report.Row, []report.Check, error) {
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	binary, err := host.Build(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	hosts, jobs := filepath.Join(dir, "usage.csv"), filepath.Join(dir, "jobs.csv")
	if err := writeFiles(hosts, jobs); err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, binary, "sim", "--hosts", hosts, "--jobs", jobs, "--output", "json")
	begin := time.Now()
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%v: %w", cmd, err)
	}
	wall := time.Since(begin)
	var runs []replayed
	if err := json.Unmarshal(out, &runs); err != nil {
		return nil, nil, err
	}
	checks := []report.Check{
		report.AtMost("wall s, lull sim of 50 hosts, 2 days, 300 jobs, 4 policies", wall.Seconds(), 15),
		report.AtMost("deadlines rejected, % (a sixth of the idle CPU is asked for)", rejected(runs), 10),
	}
	return replayRow(cmd, runs, wall), checks, nil
}

// rejected is the share of all policies' jobs that were rejected, in percent.
func rejected(runs []replayed) float64 {
	var jobs, refused float64
	for _, r := range runs {
		jobs, refused = jobs+r.Jobs, refused+r.Rejected
	}
	return 100 * refused / jobs
}

func replayRow(cmd *exec.Cmd, runs []replayed, wall time.Duration) report.Row {
	var virtual, tasks, entries float64
	for _, r := range runs {
		virtual, tasks, entries = virtual+r.Span/3600, tasks+r.Attempts, entries+r.Events
	}
	peak := 0.0
	if used, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		peak = float64(used.Maxrss) * 1024 / 1e6 // getrusage(2): KiB
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	return report.Row{
		{Key: "scenario", Value: fileRow}, {Key: "virtual_h", Value: virtual}, {Key: "tasks", Value: int(tasks)},
		{Key: "entries", Value: int(entries)}, {Key: "wall_s", Value: wall.Seconds()}, {Key: "cpu_s", Value: cpu.Seconds()},
		{Key: "peak_mb", Value: peak},
	}
}

// writeFiles draws the usage and the jobs. The jobs' work is a sixth of what the primaries leave.
func writeFiles(hosts, jobs string) error {
	const every, samples = 300, fileDays * 24 * 12
	rng := rand.New(rand.NewPCG(1, 3))
	var usage strings.Builder
	usage.WriteString("series_id,cores")
	for i := range samples {
		fmt.Fprintf(&usage, ",%d", i*every)
	}
	for h := range fileHosts {
		fmt.Fprintf(&usage, "\nhost-%d,2", h)
		for range samples {
			fmt.Fprintf(&usage, ",%.1f", 90*rng.Float64())
		}
	}
	if err := os.WriteFile(hosts, []byte(usage.String()), 0o600); err != nil {
		return err
	}
	var list strings.Builder
	list.WriteString("submit_s,name,type,tasks,task_seconds,deadline_s\n")
	for j := range fileJobs {
		tasks, seconds := 1+rng.IntN(200), 20+rng.IntN(80)
		fmt.Fprintf(&list, "%d,job-%d,type-%d-%d,%d,%d,%d\n", j*fileDays*86400/fileJobs, j, j%3, seconds/20, tasks, seconds, 600+rng.IntN(7200))
	}
	return os.WriteFile(jobs, []byte(list.String()), 0o600)
}

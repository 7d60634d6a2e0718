package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"lull/cmd/lull/serve"
	"lull/test/report"
)

// idle measures an agent at rest: connected, nothing to run, one sample and
// one heartbeat a second.
func idle(ctx context.Context, quick bool) (*report.Report, error) {
	settle, watch := 5*time.Second, 60*time.Second
	if quick {
		settle, watch = time.Second, 5*time.Second
	}
	var r *report.Report
	err := withInstance(ctx, func(in *instance, binary, dir string) (err error) {
		r, err = atRest(ctx, in, binary, dir, settle, watch)
		return err
	})
	return r, err
}

func atRest(ctx context.Context, in *instance, binary, dir string, settle, watch time.Duration) (*report.Report, error) {
	endpoint, ok := serve.Attach(in.dir)
	if !ok {
		return nil, fmt.Errorf("lull up on %s is gone", in.dir)
	}
	agent := exec.Command(binary, "agent", "--nats", endpoint.URL,
		"--data", filepath.Join(dir, "agent"), "--name", "bench-agent", "--log-level", "warn")
	agent.Stderr, agent.Env = os.Stderr, append(os.Environ(), "LULL_TOKEN="+endpoint.Token)
	if err := agent.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = agent.Process.Signal(syscall.SIGTERM)
		_ = agent.Wait() // how it ends is not measured
	}()
	if err := wait(ctx, settle); err != nil {
		return nil, err
	}
	return rest(ctx, map[string]int{"agent": agent.Process.Pid, "lull up, all in one": in.cmd.Process.Pid}, watch)
}

func rest(ctx context.Context, pids map[string]int, watch time.Duration) (*report.Report, error) {
	r := &report.Report{Name: "idle"}
	before := map[string]time.Duration{}
	for name, pid := range pids {
		before[name], _ = cpuTime(pid) // a process that is gone is found below
	}
	if err := wait(ctx, watch); err != nil {
		return nil, err
	}
	for _, name := range []string{"agent", "lull up, all in one"} {
		used, err := cpuTime(pids[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		resident, err := status(pids[name], "VmRSS:")
		if err != nil {
			return nil, err
		}
		percent := 100 * (used - before[name]).Seconds() / watch.Seconds()
		r.Rows = append(r.Rows, report.Row{
			{Key: "process", Value: name}, {Key: "seconds", Value: watch.Seconds()},
			{Key: "cpu_percent_of_a_core", Value: percent}, {Key: "resident_MB", Value: float64(resident) / 1e6},
		})
		if name == "agent" {
			r.Checks = append(r.Checks, report.AtMost("agent at rest, % of a core", percent, 0.5),
				report.AtMost("agent at rest, MB", float64(resident)/1e6, 40))
		}
	}
	return r, nil
}

func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

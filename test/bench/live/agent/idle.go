package agent

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"lull/cmd/lull/serve/local"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/tables"
	"lull/test/taskuser"
)

// Idle is the benchmark of an agent with nothing to do.
var Idle = tables.Table{Name: "idle", What: "what an agent at rest costs", Run: idle}

// idle measures an agent at rest: connected, with nothing to run, one sample and one heartbeat a second.
func idle(ctx context.Context, quick bool) (*report.Report, error) {
	settle, watch := 5*time.Second, 60*time.Second
	if quick {
		settle, watch = time.Second, 5*time.Second
	}
	var r *report.Report
	err := host.WithInstance(ctx, func(in *host.Instance, binary, dir string) (err error) {
		r, err = atRest(ctx, in, binary, dir, settle, watch)
		return err
	})
	return r, err
}

func atRest(ctx context.Context, in *host.Instance, binary, dir string, settle, watch time.Duration) (*report.Report, error) {
	endpoint, ok := local.Attach(in.Dir)
	if !ok {
		return nil, fmt.Errorf("lull up on %s is gone", in.Dir)
	}
	agent := exec.Command(binary, append([]string{"agent", "--nats", endpoint.URL,
		"--data", filepath.Join(dir, "agent"), "--name", "bench-agent", "--log-level", "warn"}, taskuser.Flags()...)...)
	agent.Stderr, agent.Env = os.Stderr, append(os.Environ(), "LULL_TOKEN="+endpoint.Token)
	if err := agent.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = agent.Process.Signal(syscall.SIGTERM)
		_ = agent.Wait() // how it ends is not measured
	}()
	if err := host.Wait(ctx, settle); err != nil {
		return nil, err
	}
	return rest(ctx, map[string]int{"agent": agent.Process.Pid, "lull up, all in one": in.PID()}, watch)
}

func rest(ctx context.Context, pids map[string]int, watch time.Duration) (*report.Report, error) {
	r := &report.Report{}
	before := map[string]time.Duration{}
	for name, pid := range pids {
		before[name], _ = host.CPUTime(pid) // a process that is gone is found below
	}
	if err := host.Wait(ctx, watch); err != nil {
		return nil, err
	}
	for _, name := range []string{"agent", "lull up, all in one"} {
		used, err := host.CPUTime(pids[name])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		resident, err := host.Status(pids[name], "VmRSS:")
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

package tasks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"lull/actors/account"
	"lull/hostctl/cgroup"
	"lull/hostctl/shim"
	"lull/test/bench/live/host"
	"lull/test/report"
	"lull/test/stat"
)

// mostContained is what containment may add to the CPU of a task's start, ms.
const mostContained = 1.0

// starts measures the CPU of a task that does nothing, from fork to wait: bare, through a shim, and
// through one that contains it as an agent of root does. It excludes the CPU of the shim's caller.
func starts(ctx context.Context, r *report.Report, binary, dir string, n size) error {
	ways := []struct {
		name string
		run  func() (time.Duration, error)
	}{
		{"fork and exec alone", func() (time.Duration, error) { return bare(n.tasks) }},
		{"through a shim", func() (time.Duration, error) {
			return uncontained(ctx, binary, filepath.Join(dir, "start"), n.tasks)
		}},
		{"contained", func() (time.Duration, error) {
			return contained(ctx, binary, filepath.Join(dir, "start-contained"), n.tasks)
		}},
	}
	each := make([][]float64, len(ways))
	for range n.rounds {
		for i, way := range ways {
			used, err := way.run()
			if err != nil {
				return fmt.Errorf("start %s: %w", way.name, err)
			}
			each[i] = append(each[i], stat.Milliseconds(used)/float64(n.tasks))
		}
	}
	for i, way := range ways {
		r.Rows = append(r.Rows, report.Row{
			{Key: "start", Value: way.name}, {Key: "tasks", Value: n.tasks}, {Key: "cpu_ms_each", Value: stat.Median(each[i])},
		})
	}
	r.Checks = append(r.Checks, report.AtMost("CPU that containment adds to a start, ms", stat.Median(each[2])-stat.Median(each[0]), mostContained))
	return nil
}

// bare is the CPU of forks and execs by this process.
func bare(tasks int) (time.Duration, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close() //nolint:errcheck // nothing was written
	attr := &syscall.ProcAttr{Files: []uintptr{null.Fd(), null.Fd(), null.Fd()}}
	before, err := host.FamilyTime(os.Getpid())
	if err != nil {
		return 0, err
	}
	for range tasks {
		pid, err := syscall.ForkExec("/bin/true", []string{"true"}, attr)
		if err != nil {
			return 0, err
		}
		if _, err := syscall.Wait4(pid, nil, 0, nil); err != nil {
			return 0, err
		}
	}
	after, err := host.FamilyTime(os.Getpid())
	return after - before, err
}

// uncontained runs tasks through a shim that keeps nothing from them.
func uncontained(ctx context.Context, binary, dir string, tasks int) (time.Duration, error) {
	return oneShim(ctx, shim.Config{Dir: dir, Command: []string{binary, "shim"}}, tasks,
		shim.Bounds{Unfenced: true, Privileged: true})
}

// contained runs them in a slot's cgroups, behind a fence and, under root, as nobody.
func contained(ctx context.Context, binary, dir string, tasks int) (used time.Duration, err error) {
	caps, err := cgroup.Detect("/")
	if err != nil {
		return 0, err
	}
	tree, err := cgroup.Open(caps, fmt.Sprintf("bench-%d", os.Getpid()))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, tree.Remove(ctx)) }()
	slot, err := tree.Slot(0)
	if err != nil {
		return 0, err
	}
	bounds := shim.Bounds{Write: []string{dir}}
	if os.Geteuid() == 0 {
		bounds.User = account.Nobody
	}
	return oneShim(ctx, shim.Config{Dir: dir, Slot: slot, Command: []string{binary, "shim"}}, tasks, bounds)
}

// oneShim is the CPU of a shim and of the tasks that it ran.
func oneShim(ctx context.Context, cfg shim.Config, tasks int, bounds shim.Bounds) (used time.Duration, err error) {
	c, err := shim.Launch(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.Quit()) }()
	before, err := host.FamilyTime(c.Hello().PID)
	if err != nil {
		return 0, err
	}
	for i := range tasks {
		task := shim.Task{Attempt: uint64(i + 1), Argv: []string{"/bin/true"}, Env: []string{"PATH=/bin"}, Dir: "/", Bounds: bounds}
		if err := errors.Join(c.Start(task), exited(c, task.Attempt)); err != nil {
			return 0, err
		}
	}
	after, err := host.FamilyTime(c.Hello().PID)
	return after - before, err
}

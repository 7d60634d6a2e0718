// Package host holds what live benchmarks share: lull as a process of its own, cgroups beside lull's, and
// the CPU and memory that processes used.
package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"lull/actors/jetstream/connect"
	"lull/client"
	"lull/cmd/lull/serve/local"
	"lull/subjects"
	"lull/test/taskuser"
)

// Instance is a `lull up` in a process of its own, as a user would run it, and
// a client of it.
type Instance struct {
	*client.Client
	Dir string // its folder
	cmd *exec.Cmd
}

// Build compiles the one binary into dir.
func Build(ctx context.Context, dir string) (string, error) {
	return BuildCommand(ctx, dir, "./cmd/lull")
}

// BuildCommand compiles a command of this module into dir, under its own name.
func BuildCommand(ctx context.Context, dir, command string) (string, error) {
	binary := filepath.Join(dir, filepath.Base(command))
	out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, command).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", command, err, out)
	}
	return binary, nil
}

// WithInstance builds lull, runs f beside a `lull up` in a temporary folder,
// and stops it. The flags are for `lull up`.
func WithInstance(ctx context.Context, f func(in *Instance, binary, dir string) error, flags ...string) error {
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	binary, err := Build(ctx, dir)
	if err != nil {
		return err
	}
	in, err := Up(ctx, binary, filepath.Join(dir, "data"), flags...)
	if err != nil {
		return err
	}
	return errors.Join(f(in, binary, dir), in.Stop())
}

// Up starts an Instance on a folder, which no flag changes, and waits until it
// answers.
func Up(ctx context.Context, binary, dir string, flags ...string) (*Instance, error) {
	cmd := exec.Command(binary, slices.Concat([]string{"up", "--log-level", "warn"}, taskuser.Flags(), flags, []string{"--data", dir})...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	// Ctrl-C reaches the bench alone, which then stops the Instance in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in := &Instance{Dir: dir, cmd: cmd}
	if err := in.connect(ctx); err != nil {
		return nil, errors.Join(err, in.Stop())
	}
	return in, nil
}

func (in *Instance) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		if endpoint, ok := local.Attach(in.Dir); ok {
			nc, err := connect.Dial(endpoint.URL, "bench", endpoint.Token)
			if err != nil {
				return err
			}
			in.Client, err = client.Open(ctx, nc, subjects.DefaultPool)
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("lull up on %s did not come up: %w", in.Dir, ctx.Err())
}

// Stop ends the Instance in order.
func (in *Instance) Stop() error {
	if in.Client != nil {
		in.Close()
	}
	_ = in.cmd.Process.Signal(syscall.SIGTERM)
	return in.cmd.Wait()
}

// PID is the process's.
func (in *Instance) PID() int { return in.cmd.Process.Pid }

// Ended returns a function that reports, by a view, whether a job has ended.
func Ended(view *client.View, job string) func() bool {
	return func() bool {
		j := view.State.Job(job)
		return j != nil && j.Phase.Ended()
	}
}

// Peak is the most memory the process had at once, in bytes.
func (in *Instance) Peak() (int64, error) { return Status(in.cmd.Process.Pid, "VmHWM:") }

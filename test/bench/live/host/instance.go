// Package host has what live benchmarks share: it runs lull as a process of its own, makes cgroups beside
// lull's, and measures the CPU and memory that processes use.
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

// Instance is a `lull up` in a process of its own, as a user would run it, with a client that is connected
// to it.
type Instance struct {
	*client.Client
	Dir string // data folder
	cmd *exec.Cmd
}

// Build compiles lull into dir and returns the path of the binary.
func Build(ctx context.Context, dir string) (string, error) {
	return BuildCommand(ctx, dir, "./cmd/lull")
}

// BuildCommand compiles a command of this module into dir and returns the path of the binary, which has the
// name of the command's folder.
func BuildCommand(ctx context.Context, dir, command string) (string, error) {
	binary := filepath.Join(dir, filepath.Base(command))
	out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, command).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", command, err, out)
	}
	return binary, nil
}

// WithInstance builds lull, starts `lull up` with the given flags in a temporary folder, calls f, and stops
// `lull up`.
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

// Up starts an Instance on a data folder and waits until it answers. A --data among the flags has no
// effect.
func Up(ctx context.Context, binary, dir string, flags ...string) (*Instance, error) {
	cmd := exec.Command(binary, slices.Concat([]string{"up", "--log-level", "warn"}, taskuser.Flags(), flags, []string{"--data", dir})...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	// In a process group of its own it does not get the terminal's Ctrl-C. The benchmark does, and stops it.
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

// Stop ends the Instance with SIGTERM and waits for its end.
func (in *Instance) Stop() error {
	if in.Client != nil {
		in.Close()
	}
	_ = in.cmd.Process.Signal(syscall.SIGTERM)
	return in.cmd.Wait()
}

// PID returns the process ID of `lull up`.
func (in *Instance) PID() int { return in.cmd.Process.Pid }

// Ended returns a function that reports whether a job has ended, according to a view.
func Ended(view *client.View, job string) func() bool {
	return func() bool {
		j := view.State.Job(job)
		return j != nil && j.Phase.Ended()
	}
}

// Peak returns the largest resident memory that the process has had, in bytes.
func (in *Instance) Peak() (int64, error) { return Status(in.cmd.Process.Pid, "VmHWM:") }

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"lull/actors/jetstream"
	"lull/cmd/lull/client"
	"lull/cmd/lull/serve"
	"lull/subjects"
)

// instance is a `lull up` in a process of its own, as a user would run it, and
// a client of it.
type instance struct {
	*client.Client
	cmd *exec.Cmd
	dir string
}

// build compiles the one binary into dir.
func build(ctx context.Context, dir string) (string, error) { return buildOf(ctx, dir, "./cmd/lull") }

// buildOf compiles a command of this module into dir, under its own name.
func buildOf(ctx context.Context, dir, command string) (string, error) {
	binary := filepath.Join(dir, filepath.Base(command))
	out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, command).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", command, err, out)
	}
	return binary, nil
}

// withInstance builds lull, runs f beside a `lull up` in a temporary folder,
// and stops it. The flags are for `lull up`.
func withInstance(ctx context.Context, f func(in *instance, binary, dir string) error, flags ...string) error {
	dir, err := os.MkdirTemp("", "lull-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover in the temporary folder
	binary, err := build(ctx, dir)
	if err != nil {
		return err
	}
	in, err := up(ctx, binary, filepath.Join(dir, "data"), flags...)
	if err != nil {
		return err
	}
	return errors.Join(f(in, binary, dir), in.stop())
}

// up starts an instance on a folder, which no flag changes, and waits until it
// answers.
func up(ctx context.Context, binary, dir string, flags ...string) (*instance, error) {
	cmd := exec.Command(binary, slices.Concat([]string{"up", "--log-level", "warn"}, flags, []string{"--data", dir})...)
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	// Ctrl-C reaches the bench alone, which then stops the instance in order.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	in := &instance{cmd: cmd, dir: dir}
	if err := in.connect(ctx); err != nil {
		return nil, errors.Join(err, in.stop())
	}
	return in, nil
}

func (in *instance) connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	for ctx.Err() == nil {
		if endpoint, ok := serve.Attach(in.dir); ok {
			nc, err := jetstream.Dial(endpoint.URL, "bench", endpoint.Token)
			if err != nil {
				return err
			}
			in.Client, err = client.Open(ctx, nc, subjects.DefaultPool)
			return err
		}
		time.Sleep(5 * time.Millisecond)
	}
	return fmt.Errorf("lull up on %s did not come up: %w", in.dir, ctx.Err())
}

// stop ends the instance in order.
func (in *instance) stop() error {
	if in.Client != nil {
		in.Close()
	}
	_ = in.cmd.Process.Signal(syscall.SIGTERM)
	return in.cmd.Wait()
}

// peak is the most memory the process had at once, in bytes.
func (in *instance) peak() (int64, error) { return status(in.cmd.Process.Pid, "VmHWM:") }

// status reads a figure in kB from /proc/<pid>/status, in bytes.
func status(pid int, key string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no %s", pid, key)
}

// cpuTime is the CPU that a process has used so far.
func cpuTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] { // utime, stime
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * (time.Second / 100), nil // USER_HZ is 100 on Linux
}

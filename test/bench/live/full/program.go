package full

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// result is one run of a program.
type result struct {
	took            time.Duration
	done, evictions int // done is the lines that it printed
}

// xargs runs a work by xargs in the idle class.
func (m *measurement) xargs(ctx context.Context, w work) (result, error) {
	return m.timed(ctx, w, "chrt", "-i", "0", "xargs", "-P2", "-I{}", "sh", "-c", w.script)
}

// lull runs a work by lull run. A single command's output comes as it is written, so that it counts although the
// command does not end.
func (m *measurement) lull(ctx context.Context, w work) (result, error) {
	if w.values == 1 {
		return m.timed(ctx, w, m.binary, "run", "--data", m.path("data"), "--", strings.ReplaceAll(w.script, "{}", "0"))
	}
	return m.timed(ctx, w, m.binary, "run", "--data", m.path("data"), "--each", "-", "--", w.script)
}

// patience is how long a program that is told to end may take to do so, beside a primary that leaves
// it no CPU.
const patience = 30 * time.Second

// timed runs a program with the work's values on its standard input, until it ends or the limit is over.
func (m *measurement) timed(ctx context.Context, w work, argv ...string) (r result, err error) {
	out, err := os.Create(m.path("out"))
	if err != nil {
		return r, err
	}
	defer out.Close() //nolint:errcheck // it is read by its name
	limited, cancel := context.WithTimeout(ctx, m.limit)
	defer cancel()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(limited, argv[0], argv[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = w.input(), out, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // to end the whole of it; its session stays the primary's
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = patience
	begin := time.Now()
	err = cmd.Run()
	r.took = min(time.Since(begin), m.limit)
	if err != nil && limited.Err() == nil {
		return r, fmt.Errorf("%s: %w\n%s", strings.Join(argv, " "), err, stderr.String())
	}
	text, err := os.ReadFile(out.Name())
	r.done, r.evictions = bytes.Count(text, []byte("\n")), evictions(stderr.String())
	return r, errors.Join(err, ctx.Err())
}

var evicted = regexp.MustCompile(`(\d+) evicted`)

// evictions is the largest number of evictions that the progress of lull run shows.
func evictions(progress string) (most int) {
	for _, m := range evicted.FindAllStringSubmatch(progress, -1) {
		if n, err := strconv.Atoi(m[1]); err == nil {
			most = max(most, n)
		}
	}
	return most
}

// startPrimary starts a primary that wants so many times the cores of the host. stop ends it.
func startPrimary(program string, load float64) (stop func() error, err error) {
	var ends []func() error
	stop = func() (err error) {
		for _, end := range ends {
			err = errors.Join(err, end())
		}
		return err
	}
	for seed := 1; load > 0; seed++ {
		share := min(load, 1)
		end, err := startShare(program, seed, share)
		if err != nil {
			return nil, errors.Join(err, stop())
		}
		ends, load = append(ends, end), load-share
	}
	return stop, nil
}

// startShare starts a process of the primary that wants this share of all cores. It ends with its input.
func startShare(program string, seed int, share float64) (end func() error, err error) {
	cmd := exec.Command(program, strconv.Itoa(seed))
	levels, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintln(levels, share)
	return func() error { return errors.Join(levels.Close(), cmd.Wait()) }, err
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A suite is one run of "go test".
type suite struct {
	name  string
	args  []string // of go test
	raced bool     // with the race detector
}

// build are the flags with which tests are built and run. They are built behind the tests that run meanwhile, whose tasks wait for
// idle CPU. Most tests of live packages wait for about half of their time, so three packages run at once on two cores. Lint
// includes what "go vet" finds.
var build = []string{"-vet=off", "-toolexec", "nice -n 19", "-p", strconv.Itoa(runtime.NumCPU() + 1)}

// event is a line of "go test -json".
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // of what the compiler speaks
	FailedBuild                   string // import path of what did not compile
	Elapsed                       float64
}

// run runs the suite, prints what its packages print as they end, and returns their outcomes.
func (s suite) run(ctx context.Context) ([]*outcome, error) {
	began := time.Now()
	outcomes, err := s.stream(ctx, os.Stdout)
	fmt.Printf("-- tests%s took %.0f s\n", s.name, time.Since(began).Seconds())
	return outcomes, err
}

// stream runs the suite, and writes a line for each package that ends, and the output of those that failed.
func (s suite) stream(ctx context.Context, w io.Writer) ([]*outcome, error) {
	args := append([]string{"test", "-json"}, build...)
	env := append(os.Environ(), marked())
	if s.raced {
		args = append(args, "-race")
		// A process with the detector sleeps for a second before it exits, and the tests start hundreds.
		env = append(env, "CGO_ENABLED=1", "GORACE=atexit_sleep_ms=10")
	}
	cmd := exec.CommandContext(ctx, "go", append(args, s.args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // go ends the tests that it started
	cmd.Env = env
	cmd.Stderr = os.Stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	c := collection{raced: s.raced, by: map[string]*outcome{}, builds: map[string][]string{}}
	scan(pipe, func(e event) {
		if o := c.take(e); o != nil {
			o.print(w)
		}
	})
	if ctx.Err() != nil {
		_ = cmd.Wait()
		return nil, errors.New("interrupted")
	}
	// A run that failed without a test that did has no other trace than its exit code.
	if err := cmd.Wait(); err != nil && !c.failed() {
		return nil, fmt.Errorf("go %s: %w", strings.Join(args, " "), err)
	}
	return c.list, nil
}

// scan calls f for each event that r holds. A line that is none is output of go itself.
func scan(r io.Reader, f func(event)) {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		var e event
		if json.Unmarshal([]byte(line), &e) == nil {
			f(e)
		} else if line != "" {
			fmt.Fprint(os.Stderr, line)
		}
		if err != nil {
			return
		}
	}
}

// A collection makes outcomes of events.
type collection struct {
	raced  bool
	by     map[string]*outcome
	list   []*outcome
	builds map[string][]string // what the compiler said, by import path
}

// take adds an event, and returns its package's outcome if the package ended with it.
func (c *collection) take(e event) *outcome {
	if strings.HasPrefix(e.Action, "build-") {
		c.builds[e.ImportPath] = append(c.builds[e.ImportPath], e.Output)
		return nil
	}
	o := c.by[e.Package]
	if o == nil {
		o = &outcome{pkg: e.Package, raced: c.raced, built: true, running: map[string]bool{}}
		c.by[e.Package], c.list = o, append(c.list, o)
	}
	if e.FailedBuild != "" {
		o.built = false
		o.output.WriteString(strings.Join(c.builds[e.FailedBuild], ""))
	}
	return o.take(e)
}

func (c *collection) failed() bool {
	for _, o := range c.list {
		if o.failed {
			return true
		}
	}
	return false
}

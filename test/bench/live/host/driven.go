package host

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"lull/test/steal"
)

// Driven is a primary with a set load: a process outside lull's cgroup, in a session of its own,
// that uses a given share of all cores.
type Driven struct {
	cmd    *exec.Cmd
	levels io.WriteCloser
}

// StartDriven builds the primary into dir and starts it.
func StartDriven(ctx context.Context, dir string, seed uint64) (*Driven, error) {
	binary, err := BuildCommand(ctx, dir, "./test/bench/primary")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(binary, strconv.FormatUint(seed, 10))
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	levels, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &Driven{cmd, levels}, cmd.Start()
}

// Set asks for a share of the machine, 0 to 1.
func (p *Driven) Set(share float64) error {
	if _, err := fmt.Fprintf(p.levels, "%.4f\n", share); err != nil {
		return fmt.Errorf("the primary is gone: %w", err)
	}
	return nil
}

// Stop ends the tenant, by closing its standard input.
func (p *Driven) Stop() {
	_ = p.levels.Close()
	_ = p.cmd.Wait() // how it ends is not measured
}

// Span measures over a stretch of time: what the primary got of the machine,
// and what the hypervisor took from it.
type Span struct {
	p     *Driven
	begin time.Time
	used  time.Duration
	ticks steal.Ticks
}

// Begin begins to measure.
func (p *Driven) Begin() (Span, error) {
	used, err := CPUTime(p.cmd.Process.Pid)
	if err != nil {
		return Span{}, fmt.Errorf("the primary is gone: %w", err)
	}
	t, err := steal.Read()
	return Span{p, time.Now(), used, t}, err
}

// End returns shares of the machine.
func (s Span) End() (got, stolen float64, err error) {
	now, err := s.p.Begin()
	if err != nil {
		return 0, 0, err
	}
	wall := now.begin.Sub(s.begin).Seconds() * float64(runtime.NumCPU())
	return (now.used - s.used).Seconds() / wall, now.ticks.Since(s.ticks), nil
}

package tct

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

	"lull/test/bench/live/host"
	"lull/test/steal"
)

// primary is the driven tenant: a process outside lull's cgroup, in a session
// of its own, that uses the share of all cores it is told.
type primary struct {
	cmd    *exec.Cmd
	levels io.WriteCloser
}

func startPrimary(ctx context.Context, dir string, seed uint64) (*primary, error) {
	binary, err := host.BuildCommand(ctx, dir, "./test/bench/primary")
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
	return &primary{cmd, levels}, cmd.Start()
}

// set asks for a share of the machine, 0 to 1.
func (p *primary) set(share float64) error {
	if _, err := fmt.Fprintf(p.levels, "%.4f\n", share); err != nil {
		return fmt.Errorf("the primary is gone: %w", err)
	}
	return nil
}

// stop ends the tenant: it ends with its input.
func (p *primary) stop() {
	_ = p.levels.Close()
	_ = p.cmd.Wait() // how it ends is not measured
}

// span measures over a stretch of time: what the primary got of the machine,
// and what the hypervisor took from it.
type span struct {
	p     *primary
	begin time.Time
	used  time.Duration
	ticks steal.Ticks
}

func (p *primary) begin() (span, error) {
	used, err := host.CPUTime(p.cmd.Process.Pid)
	if err != nil {
		return span{}, fmt.Errorf("the primary is gone: %w", err)
	}
	t, err := steal.Read()
	return span{p, time.Now(), used, t}, err
}

// end returns shares of the machine.
func (s span) end() (got, stolen float64, err error) {
	now, err := s.p.begin()
	if err != nil {
		return 0, 0, err
	}
	wall := now.begin.Sub(s.begin).Seconds() * float64(runtime.NumCPU())
	return (now.used - s.used).Seconds() / wall, now.ticks.Since(s.ticks), nil
}

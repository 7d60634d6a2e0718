package guarding

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// pressureTrigger asks for a notice when tasks have stalled for memory for 25 ms within half a
// second, the shortest window there is. The kernel checks every tenth of the window
// (Documentation/accounting/psi.rst). A host that is out of memory stalls all the time, so the
// notice comes within 50 to 100 ms. It takes CAP_SYS_RESOURCE: without it a window has whole
// seconds, and the next look comes sooner.
const pressureTrigger = "some 25000 500000"

// watchPressure wakes the guard when the host stalls for memory, which can be
// before the next look, and before the kernel's OOM killer. Where the kernel
// takes no trigger, the guard sees the stall at its next look.
func (g *Guardian) watchPressure(ctx context.Context) {
	if filepath.Clean(g.cfg.Root) != "/" {
		return // Root is a copy of a host's files, which sends no notice
	}
	if err := watchTrigger(ctx, pressureTrigger, g.requestTurn); err != nil {
		g.cfg.Logger.Debug("guard: the kernel sends no notice of memory pressure here", "error", err)
	}
}

// watchTrigger calls notice at each firing of a trigger, until ctx ends.
func watchTrigger(ctx context.Context, trigger string, notice func()) error {
	f, err := os.OpenFile("/proc/pressure/memory", os.O_RDWR|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // the trigger goes with it
	if _, err := f.Write(append([]byte(trigger), 0)); err != nil {
		return fmt.Errorf("trigger %q: %w", trigger, err)
	}
	ended, end, err := os.Pipe()
	if err != nil {
		return err
	}
	defer ended.Close() //nolint:errcheck // it carries nothing
	stop := context.AfterFunc(ctx, func() { _ = end.Close() })
	defer func() {
		if stop() {
			_ = end.Close()
		}
	}()
	return await(int(f.Fd()), int(ended.Fd()), notice)
}

// await polls the trigger until the other end of the pipe is closed.
func await(trigger, ended int, notice func()) error {
	for {
		fds := []unix.PollFd{{Fd: int32(trigger), Events: unix.POLLPRI}, {Fd: int32(ended), Events: unix.POLLIN}}
		switch _, err := unix.Poll(fds, -1); {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case fds[1].Revents != 0:
			return nil
		case fds[0].Revents&unix.POLLERR != 0:
			return errors.New("the kernel removed the trigger")
		case fds[0].Revents&unix.POLLPRI != 0:
			notice()
		}
	}
}

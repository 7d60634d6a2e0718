package hostctl

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"lull/hostctl/spread"
)

// hopeless is how many moves may fail before the first that succeeds. Then
// something is missing, and trying on costs time and helps nobody.
const hopeless = 20

// spreading is the shell of package spread: it looks each millisecond while the
// primary works beside batch, and moves who waits. Its methods bear a nil
// pointer, which moves nothing.
type spreading struct {
	watch spread.Watch
	core  *spread.Spreader
	hands *spread.Hands
	count *spreadCounters
	log   *slog.Logger

	gate spreadGate
	open atomic.Bool   // the gate, for the loop
	wake chan struct{} // it was opened

	cpus   []spread.CPU // reused: a loop that allocates would be stopped by the collector
	own    uint32       // the CPU where the loop runs
	worked bool         // some move succeeded
	failed int
}

// run looks while the gate is open, until ctx ends. It has a thread of its own,
// that is never given back: the thread's class ends with it.
func (s *spreading) run(ctx context.Context) {
	if s == nil {
		return
	}
	defer s.hands.Close() //nolint:errcheck // the file stays as it is
	runtime.LockOSThread()
	class, err := takePrecedence()
	if err == nil {
		s.log.Info("guard: the primary's threads that wait behind each other are moved", "seen by", s.watch.Name(), "class", class)
		err = s.follow(ctx)
	}
	if err != nil {
		s.log.Warn("guard: the primary's threads stay where the kernel queues them", "error", err)
	}
}

// follow waits for the gate, and looks while it is open.
func (s *spreading) follow(ctx context.Context) error {
	for ctx.Err() == nil {
		if s.open.Load() {
			if err := s.looks(ctx); err != nil {
				return err
			}
			continue
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
		}
	}
	return nil
}

// looks looks at fixed times, and leaves out those that it missed.
func (s *spreading) looks(ctx context.Context) error {
	for next := monotonic(); s.open.Load() && ctx.Err() == nil; {
		if err := s.look(monotonic()); err != nil {
			return err
		}
		next = max(next+s.watch.Every(), monotonic())
		at := unix.NsecToTimespec(int64(next))
		// Not a timer: its wake-up would be served by a thread of another class.
		_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, unix.TIMER_ABSTIME, &at, nil) // interrupted: a little early
	}
	return nil
}

// look moves who waits now.
func (s *spreading) look(now time.Duration) (err error) {
	if s.cpus, err = s.watch.Look(s.cpus[:0]); err != nil {
		return err
	}
	s.overlook()
	for _, m := range s.core.Step(now, s.cpus) {
		err := s.hands.Move(m)
		s.core.Done(now, m, err)
		if err := s.note(err); err != nil {
			return fmt.Errorf("move thread %d to CPU %d: %w; none could be moved so far (this needs root or CAP_SYS_NICE)", m.Thread, m.To, err)
		}
	}
	return nil
}

// overlook makes room on the CPU where this thread itself runs, and not for long:
// mostly it took the one that ran batch. A thread of the primary that had to yield
// waits there now, and so nobody else is sent there.
func (s *spreading) overlook() {
	_, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&s.own)), 0, 0)
	if err == 0 && int(s.own) < len(s.cpus) {
		s.cpus[s.own].Runs = spread.Batch
	}
}

// note counts a move, and returns its error if there is no hope left. Threads
// that ended and those that somebody bound are no failures.
func (s *spreading) note(err error) error {
	switch {
	case err == nil:
		s.worked = true
		s.count.moves.Inc()
	case errors.Is(err, spread.ErrPinned), errors.Is(err, unix.ESRCH):
		s.count.left.Inc()
	default:
		s.failed++
		s.count.failures.Inc()
	}
	if s.worked || s.failed < hopeless {
		return nil
	}
	return err
}

// monotonic is the time of the clock that sleeps are measured by.
func monotonic() time.Duration {
	var now unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) // every kernel has this clock
	return time.Duration(now.Nano())
}

// takePrecedence puts this thread before those that it moves: it must not queue
// behind them.
func takePrecedence() (class string, err error) {
	urgent := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: 1, Flags: unix.SCHED_FLAG_RESET_ON_FORK}
	if err = unix.SchedSetAttr(0, &urgent, 0); err == nil {
		return "real-time", nil
	}
	if e := unix.Setpriority(unix.PRIO_PROCESS, 0, -20); e != nil {
		return "", fmt.Errorf("take the real-time class: %w, or nice -20: %w", err, e)
	}
	return "nice -20", nil
}

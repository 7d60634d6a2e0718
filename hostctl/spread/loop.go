package spread

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bytes that are written to the gate.
const (
	OpenGate  = '+' // look for waiting threads and move them
	CloseGate = '-' // do nothing
)

// ErrImmovable says that no thread can be moved on this host, also not later.
var ErrImmovable = errors.New("no thread can be moved")

// mostFailures is how many moves may fail before the first that succeeds. After as many failures
// a right is missing, and further tries only cost time.
const mostFailures = 20

// loop looks for waiting threads when the bell rings, and at intervals of Idle, while its gate is open.
type loop struct {
	watch Watch
	core  *Spreader
	mover *Mover
	gate  int
	open  bool

	cpus   []CPU  // reused: a loop that allocates would be stopped by the collector
	own    uint32 // the CPU where it runs
	worked bool   // some move succeeded
	failed int
}

// Serve moves threads while the gate is open. The gate is a file descriptor; each byte read from it
// opens or closes the gate, and Serve returns when its other end is closed. The file at path notes
// moves and how they end, see Restore and OpenTally.
//
// Serve is the whole of a process: nothing else must run there. A goroutine that returns from a
// system call needs permission from Go's scheduler, and may wait for others that the primary keeps
// from running. Its return wakes Go's monitor thread, which then costs as much as the looking. So
// the scheduler knows of no call while the gate is open. That is unfair to other goroutines, and
// there are none.
func Serve(watch Watch, path string, gate int) error {
	runtime.LockOSThread()
	debug.SetGCPercent(-1) // there is no garbage
	hands, err := NewMover(path)
	if err != nil {
		return err
	}
	defer hands.Close() //nolint:errcheck // the file stays as it is
	if err := takePrecedence(); err != nil {
		return err
	}
	l := &loop{watch: watch, core: New(hands.Usable()), mover: hands, gate: gate}
	l.setListener()
	defer watch.SetListener(0)
	return l.run()
}

// run looks until the gate is gone.
func (l *loop) run() error {
	for {
		if l.open {
			if err := l.moveThreads(); err != nil {
				return err
			}
		}
		gateReady, err := l.wait()
		if err != nil {
			return err
		}
		if gateReady && !l.readGate() {
			return nil
		}
	}
}

// wait returns when the bell rings, when the gate has a byte to read, or after Idle. It reports whether
// the gate has one. While the gate is closed it returns at once, because readGate waits, too. That wait is a
// call known to Go's scheduler, whose monitor thread would wake each 10 ms otherwise.
func (l *loop) wait() (gateReady bool, err error) {
	if !l.open {
		return true, nil
	}
	fds := [2]unix.PollFd{{Fd: int32(l.gate), Events: unix.POLLIN}, {Fd: int32(l.watch.Bell()), Events: unix.POLLIN}}
	limit := unix.Timespec{Nsec: int64(LookInterval)}
	_, _, e := unix.RawSyscall6(unix.SYS_PPOLL, uintptr(unsafe.Pointer(&fds)), uintptr(len(fds)), uintptr(unsafe.Pointer(&limit)), 0, 0, 0)
	if e != 0 && e != unix.EINTR {
		return false, fmt.Errorf("wait for a thread to move: %w", e)
	}
	return e == 0 && fds[0].Revents != 0, nil
}

// readGate reads whether the gate is open, and reports whether its other end still exists.
func (l *loop) readGate() bool {
	var word [64]byte
	n, err := unix.Read(l.gate, word[:])
	if n <= 0 {
		return err == unix.EINTR
	}
	l.open = word[n-1] == OpenGate
	l.setListener()
	return true
}

// setListener silences the bell while the gate is closed.
func (l *loop) setListener() {
	thread := 0
	if l.open {
		thread = unix.Gettid()
	}
	l.watch.SetListener(thread)
}

// moveThreads moves the threads that wait now.
func (l *loop) moveThreads() (err error) {
	now := monotonic()
	if l.cpus, err = l.watch.Look(l.cpus[:0]); err != nil {
		return err
	}
	l.excludeSelf()
	for _, m := range l.core.Step(now, l.cpus) {
		err := l.mover.Move(m)
		l.core.Done(now, m, err)
		if err := l.count(err); err != nil {
			return fmt.Errorf("%w: thread %d to CPU %d: %w (this needs root or CAP_SYS_NICE)", ErrImmovable, m.Thread, m.To, err)
		}
	}
	return nil
}

// excludeSelf leaves this thread itself out of what is seen.
func (l *loop) excludeSelf() {
	_, _, err := unix.RawSyscall(unix.SYS_GETCPU, uintptr(unsafe.Pointer(&l.own)), 0, 0)
	if err == 0 && int(l.own) < len(l.cpus) {
		l.cpus[l.own].ExcludeSelf()
	}
}

// count counts a move, and returns its error if no thread can be moved here. Threads
// that ended and those that are bound are no failures.
func (l *loop) count(err error) error {
	tally := &l.mover.note.tally
	switch {
	case err == nil:
		l.worked = true
		addAtomic(&tally.Moved)
	case errors.Is(err, ErrPinned), errors.Is(err, unix.ESRCH):
		addAtomic(&tally.Left)
	default:
		l.failed++
		addAtomic(&tally.Failed)
	}
	if l.worked || l.failed < mostFailures {
		return nil
	}
	return err
}

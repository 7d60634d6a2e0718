package shim

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"lull/hostctl/publisher"

	"golang.org/x/sys/unix"
)

// Publish is the argument with which the shim's program publishes results: see package
// publish. The shim starts its own program with it, as a task.
const Publish = "publish"

// Main is the shim's program. It serves one slot until it is ordered to quit or has been idle for
// long enough, and returns the exit status. The arguments are those that Launch appends to
// Config.Command. It must run on the main goroutine, early, with nothing else going on in the
// process.
func Main(args []string) int {
	if len(args) == 1 && args[0] == Publish {
		return publisher.Main()
	}
	o, err := parseOptions(args, os.Stderr)
	if err != nil {
		return 2
	}
	if o.dir == "" {
		_, _ = fmt.Fprintln(os.Stderr, "a shim runs the tasks of one slot, and an agent starts it with all that it needs: run `lull agent` or `lull up`")
		return 2
	}
	// Priorities and a file system's user belong to a thread: this one, which
	// does everything but fork.
	runtime.LockOSThread()
	ready := os.NewFile(3, "ready")
	s, err := openServer(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		fmt.Fprintln(ready, err) //nolint:errcheck // no process is left to tell
		return 1
	}
	// An agent that died while it waited for this shim ordered nothing. Its successor may have
	// looked for shims before there was a socket, and then no agent ever comes. An agent that dies
	// from here on leaves a socket to be found.
	_, err = fmt.Fprintln(ready, readyWord)
	_ = ready.Close()
	if err == nil {
		s.serve()
	}
	s.close()
	return 0
}

// openServer takes the slot's folder, prepares the process and listens.
func openServer(o options) (*server, error) {
	// Descriptors that were inherited by mistake must not reach the tasks, nor stay open here: for
	// instance a lock of the process that started the agent.
	closeInherited()
	if err := unix.CloseRange(3, math.MaxInt32, unix.CLOSE_RANGE_CLOEXEC); err != nil {
		unix.CloseOnExec(3) // before Linux 5.11
	}
	s := &server{options: o, conn: noConn(), forker: forker{options: o, groups: noGroups(), shm: noShm(), score: -1}, buf: make([]byte, chunkBytes)}
	s.ends.conn = &s.conn
	var err error
	if s.lock, err = takeFolder(o.dir); err != nil {
		return nil, err
	}
	if s.null, err = unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
		return nil, fmt.Errorf("open /dev/null: %w", err)
	}
	if err := s.forker.prepare(); err != nil {
		return nil, err
	}
	if s.note, err = openNote(o); err != nil {
		return nil, fmt.Errorf("open %s: %w", notePath(o.dir), err)
	}
	if s.taken, err = openTaken(o.dir); err != nil {
		return nil, fmt.Errorf("open %s: %w", takenPath(o.dir), err)
	}
	if s.listener, err = listenIn(o.dir); err != nil {
		return nil, err
	}
	return s, nil
}

// closeInherited closes all descriptors but the standard streams, the ready pipe, and the runtime's
// own, which have no name in any file system.
func closeInherited() {
	const own = "/proc/self/fd"
	all, _ := os.ReadDir(own)
	for _, entry := range all {
		fd, err := strconv.Atoi(entry.Name())
		to, gone := os.Readlink(filepath.Join(own, entry.Name()))
		if err == nil && gone == nil && fd > 3 && !strings.HasPrefix(to, "anon_inode:") {
			_ = unix.Close(fd)
		}
	}
}

// takeFolder makes sure that a folder has one shim at most. The lock goes with
// the process, so none is ever stale; one that is about to end is waited for.
func takeFolder(dir string) (int, error) {
	fd, err := unix.Open(dir+"/shim.lock", unix.O_CREAT|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return -1, fmt.Errorf("open %s/shim.lock: %w", dir, err)
	}
	for range 50 {
		if err = unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); err == nil {
			return fd, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return -1, fmt.Errorf("another shim holds %s: %w", dir, err)
}

// listenIn opens the socket. A file that is there belongs to a dead shim: the
// living one has the lock, and that is us.
func listenIn(dir string) (int, error) {
	_ = unix.Unlink(socketPath(dir))
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return -1, fmt.Errorf("socket: %w", err)
	}
	old := unix.Umask(0o177) // born with 0600, not changed to it afterwards
	err = withSocketPath(dir, func(path string) error { return unix.Bind(fd, &unix.SockaddrUnix{Name: path}) })
	unix.Umask(old)
	if err == nil {
		err = unix.Listen(fd, 4)
	}
	if err != nil {
		return -1, fmt.Errorf("listen in %s: %w", dir, err)
	}
	return fd, nil
}

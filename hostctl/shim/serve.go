package shim

import (
	"time"

	"golang.org/x/sys/unix"
)

// firstPatience is how long a new shim waits at least for the agent that
// started it.
const firstPatience = 5 * time.Second

// server is a shim at work: one thread, which waits in poll(2) for everything.
type server struct {
	options
	lock, listener, null int
	conn                 conn
	groups               groups
	abi                  int    // of the kernel's Landlock, 0 if it has none
	score                int    // our oom_score_adj
	calm                 string // what we write there while we do not fork
	note                 int    // where the task's process is noted, -1 if nowhere
	taken                int    // where it is counted what the task took of its input

	task      *task // what runs, nil when idle
	ended     []*Exited
	unstarted []*StartFailed
	alone     time.Time // since when no client is connected and nothing runs
	greeted   bool      // an agent has been here
	quit      bool

	buf   []byte
	polls []unix.PollFd
	calls []func()
}

// serve runs until the shim is told to quit or is of no use any more.
func (s *server) serve() {
	for !s.over(time.Now()) {
		s.polls, s.calls = s.polls[:0], s.calls[:0]
		s.watch(s.conn.fd, s.listenToAgent)
		s.watch(s.listener, s.accept)
		s.task.watch(s)
		s.wait(s.patience(time.Now()))
		for i, p := range s.polls {
			if p.Revents != 0 {
				s.calls[i]()
			}
		}
		s.tick(time.Now())
	}
}

// watch adds a descriptor to the next wait; -1 is none.
func (s *server) watch(fd int, call func()) {
	if fd >= 0 {
		s.polls = append(s.polls, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		s.calls = append(s.calls, call)
	}
}

// wait blocks until something is ready. Signals only make it return early,
// with nothing marked as ready.
func (s *server) wait(patience time.Duration) {
	ms := int((patience + time.Millisecond - 1) / time.Millisecond)
	if _, err := unix.Poll(s.polls, max(0, ms)); err != nil {
		for i := range s.polls {
			s.polls[i].Revents = 0
		}
	}
}

// patience is how long nothing is due.
func (s *server) patience(now time.Time) time.Duration {
	if s.task != nil {
		return s.task.patience(now)
	}
	if s.conn.fd < 0 {
		return min(s.alone.Add(s.lifetime()).Sub(now), lookAround)
	}
	return time.Hour
}

// tick does what has become due.
func (s *server) tick(now time.Time) {
	if s.task != nil {
		s.task.tick(s, now)
		s.alone = now
	}
	if s.conn.fd >= 0 {
		s.alone = now
	}
}

// over reports whether the shim has nothing left to do.
func (s *server) over(now time.Time) bool {
	if s.alone.IsZero() {
		s.alone = now
	}
	if s.task != nil {
		return false
	}
	return s.quit || s.conn.fd < 0 && now.Sub(s.alone) >= s.lifetime()
}

// lifetime is how long a shim without an agent stays: longer while it alone
// knows how an attempt ended.
func (s *server) lifetime() time.Duration {
	switch {
	case s.lost():
		return 0
	case len(s.ended)+len(s.unstarted) > 0:
		return s.keep
	case !s.greeted:
		return max(s.idle, firstPatience)
	}
	return s.idle
}

// lookAround is how often a shim without a client looks for its folder.
const lookAround = 10 * time.Second

// lost reports whether no client can connect any more, because of a removed
// folder with the socket.
func (s *server) lost() bool {
	return unix.Access(socketPath(s.dir), unix.F_OK) == unix.ENOENT
}

// close ends the shim in an order that leaves no gap: the socket goes while
// the lock still keeps a successor out.
func (s *server) close() {
	_ = unix.Unlink(socketPath(s.dir))
	s.hangUp()
	_ = unix.Close(s.lock)
}

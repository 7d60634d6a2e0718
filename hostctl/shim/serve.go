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
	taken                int // the file that counts what the task took of its input

	poller poller
	conn   conn
	ends   ends
	forker forker
	note   note

	task      *task     // what runs, nil when idle
	idleSince time.Time // since when no client is connected and nothing runs
	greeted   bool      // an agent has been here
	quit      bool
	frozen    bool // the slot, by the agent's word or by what the kernel said last

	buf []byte
}

// serve runs until the shim is ordered to quit or has no further use.
func (s *server) serve() {
	for !s.isDone(time.Now()) {
		s.poller.addDescriptor(s.conn.fd, func() { s.readOrders() })
		s.poller.addDescriptor(s.listener, s.accept)
		s.task.addDescriptors(s)
		s.poller.wait(s.patience(time.Now()))
		s.tick(time.Now())
	}
}

// patience is how long nothing is due.
func (s *server) patience(now time.Time) time.Duration {
	if s.task != nil {
		return s.task.patience(now)
	}
	if s.conn.fd < 0 {
		return min(s.idleSince.Add(s.lifetime()).Sub(now), folderCheckEvery)
	}
	return time.Hour
}

// tick does what has become due.
func (s *server) tick(now time.Time) {
	if s.task != nil {
		s.task.tick(s, now)
		s.idleSince = now
	}
	if s.conn.fd >= 0 {
		s.idleSince = now
	}
}

// isDone reports whether the shim has nothing left to do.
func (s *server) isDone(now time.Time) bool {
	if s.idleSince.IsZero() {
		s.idleSince = now
	}
	if s.task != nil {
		return false
	}
	return s.quit || s.conn.fd < 0 && now.Sub(s.idleSince) >= s.lifetime()
}

// lifetime is how long a shim without an agent stays: longer while it alone
// knows how an attempt ended.
func (s *server) lifetime() time.Duration {
	switch {
	case s.folderRemoved():
		return 0
	case s.ends.waiting():
		return s.keep
	case !s.greeted:
		return max(s.idle, firstPatience)
	}
	return s.idle
}

// folderCheckEvery is how often a shim without a client looks for its folder.
const folderCheckEvery = 10 * time.Second

// folderRemoved reports whether no client can connect any more, because of a removed
// folder with the socket.
func (s *server) folderRemoved() bool {
	return unix.Access(socketPath(s.dir), unix.F_OK) == unix.ENOENT
}

// close ends the shim in an order that leaves no gap: the socket goes while
// the lock still keeps a successor out.
func (s *server) close() {
	_ = unix.Unlink(socketPath(s.dir))
	s.conn.hangUp()
	_ = unix.Close(s.lock)
}

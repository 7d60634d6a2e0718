package shim

import (
	"golang.org/x/sys/unix"

	"lull/subjects"
)

// conn is the connection to the agent.
type conn struct {
	fd int // -1: no client is connected
	in []byte
}

func noConn() conn { return conn{fd: -1} }

// accept takes a new agent's connection and closes the old one's: that agent is dead, or was
// replaced and does not know it yet. Orders that the old agent sent before count.
func (s *server) accept() {
	fd, _, err := unix.Accept4(s.listener, unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK)
	if err != nil {
		return // the caller is gone again
	}
	if ofTask(fd) {
		_ = unix.Close(fd)
		return
	}
	for s.conn.fd >= 0 && s.readOrders() {
	}
	s.conn.hangUp()
	s.conn.fd, s.greeted = fd, true
	s.conn.send(report{Hello: s.hello()})
}

func (s *server) hello() *Hello {
	h := &Hello{PID: unix.Getpid(), Ended: s.ends.ended, Unstarted: s.ends.unstarted}
	if s.task != nil {
		h.Running = &Running{Attempt: s.task.Attempt, PID: s.task.pid, Start: s.task.start.UnixNano()}
	}
	return h
}

func (c *conn) hangUp() {
	if c.fd >= 0 {
		_ = unix.Close(c.fd)
	}
	*c = noConn()
}

// readOrders reads what the agent sent, obeys it, and reports whether it sent anything. Bytes
// that make no sense end the connection; the next one begins with our Hello.
func (s *server) readOrders() bool {
	n, err := unix.Read(s.conn.fd, s.buf)
	if err == unix.EAGAIN || err == unix.EINTR {
		return false
	}
	if n <= 0 {
		s.conn.hangUp()
		return false
	}
	s.conn.in = append(s.conn.in, s.buf[:n]...)
	for s.conn.fd >= 0 && s.obeyNext() {
	}
	return true
}

// obeyNext obeys the first order that was read, if it is all there.
func (s *server) obeyNext() bool {
	body, rest, ok, err := cutFrame(s.conn.in)
	if !ok && err == nil {
		return false
	}
	var o order
	if err != nil || subjects.Unmarshal(body, &o) != nil {
		s.conn.hangUp()
		return false
	}
	s.conn.in = append(s.conn.in[:0], rest...)
	s.obey(o)
	return true
}

func (s *server) obey(o order) {
	switch {
	case o.Start != nil:
		s.start(*o.Start)
	case o.Kill != nil:
		s.kill(*o.Kill)
	case o.Pause != nil:
		s.pause(*o.Pause)
	case o.Hold != nil:
		s.hold(*o.Hold)
	case o.Ack != 0:
		s.ends.forget(o.Ack)
	case o.Quit:
		s.quit = true
		if s.task != nil {
			s.kill(kill{Attempt: s.task.Attempt})
		}
	}
}

// send sends a report, if an agent is connected. Reports are small and the socket takes
// hundreds: an agent that leaves no room has stopped reading, and learns the rest from the
// next Hello.
func (c *conn) send(r report) {
	if c.fd < 0 {
		return
	}
	b, err := appendFrame(nil, r)
	if err == nil {
		var n int
		n, err = unix.SendmsgN(c.fd, b, nil, nil, unix.MSG_NOSIGNAL)
		if err == nil && n == len(b) {
			return
		}
	}
	c.hangUp()
}

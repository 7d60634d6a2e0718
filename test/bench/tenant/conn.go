package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// conn is one keep-alive connection with at most one request on its way.
type conn struct {
	fd      int
	request int // index of the one on its way
	got     []byte
}

var question = []byte("GET / HTTP/1.1\r\nHost: tenant\r\n\r\n")

// idle returns a connection to send on, nil if all that may be are busy.
func (u *users) idle() (*conn, error) {
	if n := len(u.free); n > 0 {
		c := u.free[n-1]
		u.free = u.free[:n-1]
		return c, nil
	}
	if len(u.open) == most {
		return nil, nil
	}
	return u.connect()
}

func (u *users) connect() (*conn, error) {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &conn{fd: fd, got: make([]byte, 0, 4096)}
	u.open = append(u.open, c)
	address := &unix.SockaddrInet4{Port: int(u.to.Port()), Addr: u.to.Addr().As4()}
	if err := unix.Connect(fd, address); err != nil { // on loopback, the kernel accepts at once
		return nil, fmt.Errorf("connect to %v: %w", u.to, err)
	}
	if err := errors.Join(unix.SetNonblock(fd, true), unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1)); err != nil {
		return nil, err
	}
	return c, unix.EpollCtl(u.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// ask sends a request. It is so small that it fits into any socket's buffer.
func (c *conn) ask(request int) error {
	c.request, c.got = request, c.got[:0]
	if _, err := unix.Write(c.fd, question); err != nil {
		return fmt.Errorf("send a request: %w", err)
	}
	return nil
}

// take reads from a connection; a whole answer ends its request.
func (u *users) take(fd int) error {
	c := u.of(fd)
	if c == nil {
		return fmt.Errorf("descriptor %d is no connection", fd)
	}
	n, err := unix.Read(fd, c.got[len(c.got):cap(c.got)])
	switch {
	case errors.Is(err, unix.EAGAIN):
		return nil
	case err != nil:
		return fmt.Errorf("read an answer: %w", err)
	case n == 0:
		return errors.New("the server hung up, or its answer has more than 4 KB")
	}
	c.got = c.got[:len(c.got)+n]
	if whole(c.got) {
		u.took[c.request] = int64(clock(unix.CLOCK_MONOTONIC) - u.begin - u.due[c.request])
		u.free = append(u.free, c)
	}
	return nil
}

func (u *users) of(fd int) *conn {
	for _, c := range u.open {
		if c.fd == fd {
			return c
		}
	}
	return nil
}

// whole reports whether an answer is complete by its Content-Length.
func whole(got []byte) bool {
	head, body, ok := bytes.Cut(got, []byte("\r\n\r\n"))
	if !ok {
		return false
	}
	_, rest, ok := bytes.Cut(head, []byte("Content-Length: "))
	if !ok {
		return true
	}
	length, _, _ := bytes.Cut(rest, []byte("\r\n"))
	n, err := strconv.Atoi(string(length))
	return err != nil || len(body) >= n
}

func (u *users) close() (err error) {
	for _, c := range u.open {
		err = errors.Join(err, unix.Close(c.fd))
	}
	for _, fd := range []int{u.timer, u.poll} {
		if fd >= 0 {
			err = errors.Join(err, unix.Close(fd))
		}
	}
	return err
}

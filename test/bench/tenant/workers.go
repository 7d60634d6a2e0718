package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// workers serve as an event-driven server in C does: a thread a core, all asleep in one epoll set,
// which wakes one of them for each request. No thread ever waits for another, so only the scheduler
// delays them.
type workers struct {
	poll   int
	rounds int
	reply  []byte
}

// serveByWorkers accepts connections for the workers, pinned to their cores or
// not, until the listener is closed.
func serveByWorkers(listener net.Listener, rounds int, pinned bool) error {
	poll, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	w := &workers{poll: poll, rounds: rounds}
	w.reply = append(fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", len(answer)), answer...)
	n := runtime.NumCPU()
	runtime.GOMAXPROCS(2 * n) // a worker in a system call may keep its P for a while
	failed := make(chan error, n+1)
	for core := range n {
		go func() { failed <- w.work(core, pinned) }()
	}
	go func() { failed <- w.accept(listener) }()
	return <-failed
}

// accept hands each connection to the epoll set. One shot wakes one worker.
func (w *workers) accept(listener net.Listener) error {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return err
		}
		file, err := conn.(*net.TCPConn).File()
		if err != nil {
			return err
		}
		fd, err := unix.Dup(int(file.Fd()))
		if err := errors.Join(err, file.Close(), conn.Close()); err != nil {
			return err
		}
		event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT, Fd: int32(fd)}
		if err := unix.EpollCtl(w.poll, unix.EPOLL_CTL_ADD, fd, &event); err != nil {
			return err
		}
	}
}

// work answers one request after the other.
func (w *workers) work(core int, pinned bool) error {
	runtime.LockOSThread()
	if pinned {
		var only unix.CPUSet
		only.Set(core)
		if err := unix.SchedSetaffinity(0, &only); err != nil {
			return err
		}
	}
	events, got := make([]unix.EpollEvent, 1), make([]byte, 4096)
	for {
		n, err := unix.EpollWait(w.poll, events, -1)
		if errors.Is(err, unix.EINTR) || n == 0 {
			continue
		} else if err != nil {
			return os.NewSyscallError("epoll_wait", err)
		}
		w.answer(int(events[0].Fd), got)
	}
}

// answer serves the request that waits on a connection. Requests have no body,
// and their users send one at a time.
func (w *workers) answer(fd int, got []byte) {
	n, err := unix.Read(fd, got)
	if err != nil || n == 0 {
		_ = unix.Close(fd) // the user left
		return
	}
	if bytes.HasSuffix(got[:n], []byte("\r\n\r\n")) {
		work(w.rounds)
		_, err = unix.Write(fd, w.reply)
	} else {
		err = io.ErrUnexpectedEOF
	}
	again := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLONESHOT, Fd: int32(fd)}
	if errors.Join(err, unix.EpollCtl(w.poll, unix.EPOLL_CTL_MOD, fd, &again)) != nil {
		_ = unix.Close(fd)
	}
}

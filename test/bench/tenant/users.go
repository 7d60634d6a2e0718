package main

import (
	"errors"
	"net/netip"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// users are one order's requests on their way. One thread does all of it, and sleeps in epoll until
// the next request is due or an answer came: a timer of the Go runtime would wake it up to a
// millisecond late.
type users struct {
	to    netip.AddrPort
	poll  int // epoll descriptor
	timer int // timerfd for the next request
	begin time.Duration

	due    []time.Duration
	next   int // first request that was not sent
	open   []*conn
	free   []*conn // the last one used is used first: few are open while the server keeps up
	took   []int64 // 0: no answer yet
	late   []int64
	events [64]unix.EpollEvent
}

// most is how many connections there are at once. Requests that find none free
// wait, and their wait counts.
const most = 256

// fulfil sends an order's requests and waits for answers until its time is up.
func fulfil(o Order, to netip.AddrPort) (r Result, err error) {
	u := &users{to: to, due: o.times()}
	u.took = make([]int64, len(u.due))
	if err := u.start(); err != nil {
		return r, errors.Join(err, u.close())
	}
	end := u.begin + o.length()
	for now := u.begin; now < end && err == nil; now = clock(unix.CLOCK_MONOTONIC) {
		err = u.turn(now, end)
	}
	return u.result(end), errors.Join(err, u.close())
}

func (u *users) start() (err error) {
	u.timer, u.poll = -1, -1
	if u.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	if u.timer, err = unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC); err != nil {
		return err
	}
	u.begin = clock(unix.CLOCK_MONOTONIC)
	return unix.EpollCtl(u.poll, unix.EPOLL_CTL_ADD, u.timer, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(u.timer)})
}

// turn sends what is due, sleeps, and takes what came.
func (u *users) turn(now, end time.Duration) error {
	if err := u.send(now); err != nil {
		return err
	}
	if err := u.wake(end); err != nil {
		return err
	}
	n, err := unix.EpollWait(u.poll, u.events[:], -1)
	if err != nil && !errors.Is(err, unix.EINTR) {
		return err
	}
	for _, e := range u.events[:max(n, 0)] {
		if int(e.Fd) == u.timer {
			var ticks [8]byte
			_, _ = unix.Read(u.timer, ticks[:]) // it only rang
		} else if err := u.take(int(e.Fd)); err != nil {
			return err
		}
	}
	return nil
}

// send sends the requests that are due, as long as there are connections.
func (u *users) send(now time.Duration) error {
	for u.next < len(u.due) && u.begin+u.due[u.next] <= now {
		c, err := u.idle()
		if c == nil || err != nil {
			return err
		}
		u.late = append(u.late, int64(now-u.begin-u.due[u.next]))
		if err := c.ask(u.next); err != nil {
			return err
		}
		u.next++
	}
	return nil
}

// wake sets the timer to the next request, or to the end. A request that waits
// for a connection needs none: an answer wakes us.
func (u *users) wake(end time.Duration) error {
	at := end
	if u.next < len(u.due) {
		if next := u.begin + u.due[u.next]; next > clock(unix.CLOCK_MONOTONIC) || len(u.free) > 0 || len(u.open) < most {
			at = min(at, next)
		}
	}
	spec := unix.ItimerSpec{Value: unix.NsecToTimespec(int64(max(at, 1)))}
	return unix.TimerfdSettime(u.timer, unix.TFD_TIMER_ABSTIME, &spec, nil)
}

// result counts those without an answer as if it had come at the end: their
// latency is a lower bound.
func (u *users) result(end time.Duration) Result {
	r := Result{Due: make([]int64, len(u.due)), Took: u.took}
	for i, due := range u.due {
		if r.Due[i] = int64(due); r.Took[i] == 0 {
			r.Took[i] = int64(end - u.begin - due)
			r.Lost++
		}
	}
	if slices.Sort(u.late); len(u.late) > 0 {
		r.Late = u.late[len(u.late)/2]
	}
	return r
}

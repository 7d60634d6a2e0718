package shim

import (
	"time"

	"golang.org/x/sys/unix"
)

// poller waits for descriptors.
type poller struct {
	polls []unix.PollFd
	calls []func()
}

// addDescriptor adds a descriptor to the next wait; -1 is none.
func (p *poller) addDescriptor(fd int, call func()) {
	if fd >= 0 {
		p.polls = append(p.polls, unix.PollFd{Fd: int32(fd), Events: unix.POLLIN})
		p.calls = append(p.calls, call)
	}
}

// wait blocks until a descriptor is ready, for patience at most, and makes the calls of those
// that are. A signal makes it return early, without a call. Then nothing is watched.
func (p *poller) wait(patience time.Duration) {
	ms := int((patience + time.Millisecond - 1) / time.Millisecond)
	_, err := unix.Poll(p.polls, max(0, ms))
	for i, poll := range p.polls {
		if err == nil && poll.Revents != 0 {
			p.calls[i]()
		}
	}
	clear(p.calls)
	p.polls, p.calls = p.polls[:0], p.calls[:0]
}

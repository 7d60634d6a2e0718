package shim

import (
	"cmp"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// pause stops a task's processes, or continues them.
func (s *server) pause(p pause) {
	if s.task == nil || s.task.Attempt != p.Attempt {
		return
	}
	signal := unix.SIGCONT
	if p.Stop {
		signal = unix.SIGSTOP
	}
	s.task.look(s, time.Now())
	s.task.paused = p.Stop
	signalAll(signal)
	s.task.look(s, time.Now())
}

// hold notes that the slot is about to be frozen, or has been thawed. What went before counts as it
// was. On a busy machine the shim reads of a freeze late, so the order says when it was given.
func (s *server) hold(h hold) {
	if s.task != nil && s.task.Timeout > 0 && s.task.reason == "" {
		c, at := &s.task.clock, time.Now()
		if h.Frozen && h.At != 0 {
			at = at.Add(-max(time.Duration(at.UnixNano()-h.At), 0))
		}
		if at.Before(c.at) {
			at = c.at
		}
		c.look(at, h.Frozen || s.task.paused, cmp.Or(s.task.Cores, 1), &s.forker)
	}
	s.frozen = h.Frozen
}

// signalAll sends a signal to every descendant, once each. A process that forked before the signal
// came has a child that is not on the list yet, so it lists again until there is no new one.
func signalAll(signal unix.Signal) {
	seen := map[int]bool{}
	for fresh := true; fresh; {
		fresh = false
		for _, pid := range descendants() {
			if !seen[pid] {
				seen[pid], fresh = true, true
				_ = unix.Kill(pid, signal) // gone already: nothing to stop
			}
		}
	}
}

// descendants are our children, their children, and so on.
func descendants() []int {
	all := children()
	for i := 0; i < len(all); i++ {
		all = append(all, childrenOf(strconv.Itoa(all[i]))...)
	}
	return all
}

package shim

import (
	"cmp"
	"time"

	"golang.org/x/sys/unix"

	"lull/hostctl/cgroup"
	"lull/subjects"
)

const (
	// announceAfter is the age at which a task is reported as started. Most of
	// those that end sooner would only double the messages.
	announceAfter = 10 * time.Millisecond
	// sweepEvery is how often orphans that have ended are waited for: zombies count against the limit of
	// processes.
	sweepEvery = time.Second
	// killEvery is the pause between two kills of a main process that does not end.
	killEvery = 50 * time.Millisecond
	// clearPatience bounds the wait for what a task left behind. Only a process
	// in uninterruptible sleep outlives SIGKILL for longer than milliseconds.
	clearPatience = 10 * time.Second
)

// task is an attempt under way.
type task struct {
	Task
	pid, pidfd int
	start      time.Time
	stdin      *input
	streams    []*stream
	oomBefore  oomCounts

	clock     clock // while it has a timeout
	paused    bool  // by signals
	announced bool
	warned    bool // it was sent the signal ahead of its timeout
	// when the signal is tried again, if no process had a handler for it
	warnAgainAt time.Time
	reason      string    // why we end it, "" while we do not
	text        string    // more about the reason
	final       bool      // another attempt would end alike
	killAt      time.Time // when its grace is over
	hastenAt    time.Time // when to look for processes that die of SIGTERM without CPU; zero for never
	sweepAt     time.Time

	firstKillAt time.Time    // when its processes were killed first; its cgroup is frozen
	dying       cgroup.Dying // what was left of them at the last kill
	ended       bool         // the main process is gone, what it left is being killed
	end         time.Time
	status      unix.WaitStatus
	cpu         float64 // seconds, of all that was waited for
	maxRSS      int64
	clearFrom   time.Time     // since when what it left is being killed
	clearAt     time.Time     // when to kill again what is left
	pause       time.Duration // before that
}

// addDescriptors adds what the task can make ready.
func (t *task) addDescriptors(s *server) {
	if t == nil {
		return
	}
	if !t.ended {
		s.poller.addDescriptor(t.pidfd, func() { t.sweepAt = time.Time{} })
	}
	for _, out := range t.streams {
		if out.mayRead(time.Now()) {
			s.poller.addDescriptor(out.fd, func() { out.readPending(s.buf) })
		}
	}
	s.poller.addDescriptor(t.stdin.alarm, func() { t.inputEnded(s) })
}

// patience is how long nothing is due for the task.
func (t *task) patience(now time.Time) time.Duration {
	if t.ended && !t.lingers(now) {
		return t.clearAt.Sub(now)
	}
	due, times := t.sweepAt, []time.Time{t.announceAt(), t.warnAt(), t.timeoutAt(), t.wallAt(), t.killAt, t.hastenAt}
	if t.ended {
		due, times = now.Add(lingerCheck), []time.Time{t.killAt, t.hastenAt}
	}
	for _, at := range times {
		if !at.IsZero() && at.Before(due) {
			due = at
		}
	}
	for _, out := range t.streams {
		if !out.mayRead(now) && out.until.Before(due) {
			due = out.until
		}
	}
	return due.Sub(now)
}

func (t *task) announceAt() time.Time {
	if t.announced {
		return time.Time{}
	}
	return t.start.Add(announceAfter)
}

func (t *task) timeoutAt() time.Time {
	if t.Timeout <= 0 || t.reason != "" {
		return time.Time{}
	}
	return t.clock.over(t.Timeout)
}

func (t *task) wallAt() time.Time {
	if t.Wall <= 0 || t.reason != "" {
		return time.Time{}
	}
	return t.start.Add(t.Wall)
}

// look counts the time in which the task could run. What is frozen is what the kernel says, as far
// as it says so: an agent that died may not have told that it froze the slot, or that it thawed it.
func (t *task) look(s *server, now time.Time) {
	if t.Timeout <= 0 || t.reason != "" {
		return
	}
	if frozen, known := s.forker.isFrozen(); known {
		s.frozen = frozen
	}
	t.clock.look(now, s.frozen || t.paused, cmp.Or(t.Cores, 1), &s.forker)
}

// due reports whether a time that is set has come.
func due(at, now time.Time) bool { return !at.IsZero() && !now.Before(at) }

// tick does what has become due for the task.
func (t *task) tick(s *server, now time.Time) {
	if due(t.hastenAt, now) {
		hasten(t, &s.forker, now)
	}
	if t.ended || !now.Before(t.sweepAt) {
		t.sweep(s, now)
	}
	if t.ended {
		return
	}
	if due(t.announceAt(), now) {
		t.announced = true
		s.conn.send(report{Started: &Started{Running{t.Attempt, t.pid, t.start.UnixNano()}}})
	}
	if due(t.warnAt(), now) {
		t.warn(s, now)
	}
	if due(t.timeoutAt(), now) {
		t.look(s, now)
	}
	if t.Timeout > 0 && t.clock.ran >= t.Timeout {
		t.tell(subjects.StopTimeout)
		t.stop(s, now, reasonTimeout, t.clock.overdue(t.Timeout, t.start), t.Grace)
	}
	if due(t.wallAt(), now) {
		t.tell(subjects.StopTimeout)
		t.stop(s, now, reasonTimeout, "it took longer than its stage's wall of "+t.Wall.String(), t.Grace)
	}
	if due(t.killAt, now) {
		t.killAt = now.Add(s.forker.killOnce(t, now, killEvery))
	}
}

// sweep waits for ended processes. After the main process has ended, it makes sure that no process stays.
func (t *task) sweep(s *server, now time.Time) {
	t.sweepAt = now.Add(sweepEvery)
	left := t.reap(now)
	switch {
	case !t.ended, left && t.lingers(now):
		t.look(s, now)
	case left && !givenUp(t, now):
		t.killRest(s, now)
	default:
		s.conclude(t, left)
	}
}

// killRest kills what the ended task left, again and again with longer pauses. Each of the dead wakes
// the shim when it ends, hundreds after a fork bomb: to list and kill the others at each would take
// a core from the primary.
func (t *task) killRest(s *server, now time.Time) {
	if now.Before(t.clearAt) {
		return
	}
	t.pause = s.forker.killOnce(t, now, min(max(time.Millisecond, 2*t.pause), 20*time.Millisecond))
	t.clearAt = now.Add(t.pause)
}

// stop begins the end of a task: SIGTERM to all of it now, SIGKILL after grace to what is left. The
// first reason stands; a shorter grace shortens the wait.
func (t *task) stop(s *server, now time.Time, reason, text string, grace time.Duration) {
	if t.ended && !t.lingers(now) {
		return // sweep is at it already
	}
	if t.reason == "" {
		t.reason, t.text = reason, text
		if grace > 0 {
			t.terminate(s)
			t.hastenAt = now.Add(giveCPUAfter)
		}
	}
	if at := now.Add(grace); t.killAt.IsZero() || at.Before(t.killAt) {
		t.killAt = at
	}
	if due(t.killAt, now) {
		t.killAt = now.Add(s.forker.killOnce(t, now, giveCPUAfter))
	}
}

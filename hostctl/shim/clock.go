package shim

import (
	"strconv"
	"time"
)

// recheck is the least time to the next look of a clock that found its task without CPU.
const recheck = 20 * time.Millisecond

// clock counts the time in which a task could run: none while it is frozen, and in proportion while
// it lacks CPU. It looks each second, and when the time is over. Between looks the task counts as
// one that runs.
type clock struct {
	at      time.Time     // of the last look
	ran     time.Duration // until then
	held    bool          // the task is frozen since then
	starved bool          // it lacked CPU before that look
	waits   waits
}

// begin starts the clock of a task that may be frozen already.
func (c *clock) begin(now time.Time, held bool) { c.at, c.held = now, held }

// over is when the task will have had so much time, if nothing keeps it from running. It is zero
// while the task is frozen.
func (c *clock) over(most time.Duration) time.Time {
	switch left := max(most-c.ran, 0); {
	case c.held:
		return time.Time{}
	case c.starved:
		return c.at.Add(max(left, recheck))
	default:
		return c.at.Add(left)
	}
}

// look counts the time since the last look, and takes the task to be frozen or not from now on. cores
// are those that the task may use.
func (c *clock) look(now time.Time, held bool, cores float64, threads func(visit func(tid int, path string))) {
	past := now.Sub(c.at)
	run, wait := c.waits.since(past, threads)
	if !c.held && past > 0 {
		starved := starvedTime(past, run, wait, cores)
		c.ran += past - starved
		c.starved = starved > 0
	}
	c.at, c.held = now, held
}

// overdue says that a task ran for longer than its timeout, and how much of its time since the start did not count.
func (c *clock) overdue(timeout time.Duration, start time.Time) string {
	text := "it ran for longer than its stage's timeout of " + timeout.String()
	if lost := c.lost(start).Round(time.Second); lost > 0 {
		text += ", not counting " + lost.String() + " in which it was stopped or had no CPU"
	}
	return text
}

// lost is how much of the time since the start did not count.
func (c *clock) lost(start time.Time) time.Duration { return max(c.at.Sub(start)-c.ran, 0) }

// starvedTime is how much of a time a task lacked CPU, given for how long its threads ran and waited
// for a CPU in all. A task that waits for a disk or for a message lacks none. Threads beyond the
// cores of the task wait for each other, which is no lack either.
func starvedTime(past, run, wait time.Duration, cores float64) time.Duration {
	if past <= 0 || wait <= 0 {
		return 0
	}
	wanted := float64(run+wait) / float64(past)
	demand := min(wanted, cores)
	got := min(float64(run)/float64(past), demand)
	return time.Duration(float64(past) * min(wanted, 1) * (1 - got/demand))
}

// waits follow a task's threads.
type waits struct{ of map[int]threadWaits }

// threadWaits are what a thread did so far. The kernel counts a wait when it ends.
type threadWaits struct {
	run, wait time.Duration
	ahead     time.Duration // of a wait that goes on, counted here already
}

// maxWaiters bounds the threads that a look reads, to some milliseconds of CPU.
const maxWaiters = 256

// since returns for how long the threads ran and waited for a CPU since the last look, which was so
// long ago. Those that were not there then count from their beginning.
func (w *waits) since(past time.Duration, threads func(visit func(tid int, path string))) (run, wait time.Duration) {
	next := make(map[int]threadWaits, len(w.of))
	threads(func(tid int, path string) {
		if len(next) == maxWaiters {
			return
		}
		now, ok := readWaits(path)
		if !ok {
			return
		}
		before, known := w.of[tid]
		ran, waited := max(now.run-before.run, 0), max(now.wait-before.wait, 0)
		switch {
		case waited > 0 || ran > 0:
			waited = max(waited-before.ahead, 0)
		case known && isRunnable(path):
			waited, now.ahead = past, before.ahead+past
		default:
			now.ahead = before.ahead
		}
		run, wait = run+min(ran, past), wait+min(waited, past)
		next[tid] = now
	})
	w.of = next
	return run, wait
}

// readWaits reads the schedstat of a thread: for how long it ran and waited for a CPU, in ns. A
// kernel without that says 0.
func readWaits(path string) (t threadWaits, ok bool) {
	fields := readFields(path + "/schedstat")
	if len(fields) < 2 {
		return t, false
	}
	run, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return t, false
	}
	wait, err := strconv.ParseInt(fields[1], 10, 64)
	return threadWaits{run: time.Duration(run), wait: time.Duration(wait)}, err == nil
}

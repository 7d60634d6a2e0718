package spread

import "time"

const (
	// MoveAfter is how long a thread must have waited before it is moved. A wake-up onto a CPU that runs
	// batch work takes 4 to 16 µs by itself (Linux 6.18). A thread that waits longer waits behind another
	// one of the primary, whose turn often ends within MoveAfter.
	MoveAfter = 100 * time.Microsecond
	// LookInterval is how long to wait for the next look when nothing calls. With 5 ms a server's p99 at 60
	// and 85 % load was 1.6 and 2.1 times its p99 alone, with 2 ms 0.9 and 0.7 times. Reading 16
	// files of /proc each 2 ms takes 1.9 % of a core.
	LookInterval = 2 * time.Millisecond
	// restAfterMove is how long a thread that was moved stays where it is. It seems to
	// wait until it has run for the first time, some 20 µs later.
	restAfterMove = 200 * time.Microsecond
	// restAfterFailure is how long a thread that could not be moved is left alone. It is pinned on purpose, or
	// has ended.
	restAfterFailure = time.Second
	// maxResting is how many threads that rest or stay apart are known. With a look a millisecond, each
	// of which moves one thread per CPU at most, none is forgotten early on most hosts.
	maxResting = 64
)

// Spreader decides which threads go where. It is not safe for concurrent use,
// and does not allocate after New.
type Spreader struct {
	usable []bool // by CPU
	taken  []bool // by CPU, in this look
	moves  []Move
	resting
}

// New returns a Spreader for a host whose threads may run on these CPUs, by number.
func New(usable []bool) *Spreader {
	return &Spreader{usable: usable, taken: make([]bool, len(usable)), moves: make([]Move, 0, len(usable))}
}

// Step returns the moves to make now, at most one from and one to each CPU. The
// slice is valid until the next Step.
func (s *Spreader) Step(now time.Duration, cpus []CPU) []Move {
	s.moves = s.moves[:0]
	cpus = cpus[:min(len(cpus), len(s.usable))]
	clear(s.taken)
	for from := range cpus {
		thread, ok := s.longest(now, &cpus[from])
		if !ok {
			continue
		}
		to, ok := s.target(cpus, from)
		if !ok {
			break
		}
		s.taken[to] = true
		s.add(thread, now+restAfterMove)
		s.moves = append(s.moves, Move{thread, to})
	}
	return s.moves
}

// Done notes how a move ended. A thread that could not be moved is left alone.
func (s *Spreader) Done(now time.Duration, m Move, err error) {
	if err != nil {
		s.add(m.Thread, now+restAfterFailure)
	}
}

// longest is the thread that waited longest of those that may be moved.
func (s *Spreader) longest(now time.Duration, c *CPU) (thread int, ok bool) {
	waits := MoveAfter
	for _, w := range c.Waiters[:c.Waiting] {
		if w.Waited >= waits && !s.isResting(now, w.Thread) {
			thread, waits, ok = w.Thread, w.Waited, true
		}
	}
	return thread, ok
}

// target returns the next CPU where no thread of the primary runs or waits. It prefers an idle CPU
// to one that runs batch work, which would lose it.
func (s *Spreader) target(cpus []CPU, from int) (to int, ok bool) {
	for n := 1; n < len(cpus); n++ {
		at := (from + n) % len(cpus)
		if c := &cpus[at]; !s.usable[at] || s.taken[at] || c.Runs == Primary || c.Waiting > 0 {
			continue
		} else if c.Runs == Nothing {
			return at, true
		}
		if !ok {
			to, ok = at, true
		}
	}
	return to, ok
}

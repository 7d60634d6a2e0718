package spread

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

const ms = time.Millisecond

// cpu is one that runs something while threads wait.
func cpu(runs Runs, waiters ...Waiter) (c CPU) {
	c.Runs = runs
	for _, w := range waiters {
		c.Add(w)
	}
	return c
}

func all(n int) []bool { return slices.Repeat([]bool{true}, n) }

func TestAThreadThatQueuesBehindAnotherIsSentToBatchWork(t *testing.T) {
	long, brief := Waiter{7, MoveAfter}, Waiter{8, MoveAfter - 1}
	for _, c := range []struct {
		name string
		cpus []CPU
		want []Move
	}{
		{"no thread waits", []CPU{cpu(Primary), cpu(Batch)}, nil},
		{"a wait just begun", []CPU{cpu(Primary, brief), cpu(Batch)}, nil},
		{"a wait", []CPU{cpu(Primary, long), cpu(Batch)}, []Move{{7, 1}}},
		{"to a lower number", []CPU{cpu(Batch), cpu(Primary, long)}, []Move{{7, 0}}},
		{"the one that waited longest", []CPU{cpu(Primary, brief, long, Waiter{9, ms}), cpu(Batch)}, []Move{{9, 1}}},
		{"idle before batch", []CPU{cpu(Primary, long), cpu(Batch), cpu(Nothing)}, []Move{{7, 2}}},
		{"the primary has all", []CPU{cpu(Primary, long), cpu(Primary)}, nil},
		{"a thread of the primary waits there", []CPU{cpu(Primary, long), cpu(Batch, brief)}, nil},
		{"one each", []CPU{cpu(Primary, long, Waiter{9, ms}), cpu(Batch), cpu(Batch)}, []Move{{9, 1}}},
		{"two queues, one place", []CPU{cpu(Primary, long), cpu(Batch), cpu(Primary, Waiter{9, ms})}, []Move{{7, 1}}},
		{"two queues, two places", []CPU{cpu(Primary, long), cpu(Batch), cpu(Primary, Waiter{9, ms}), cpu(Batch)}, []Move{{7, 1}, {9, 3}}},
	} {
		if got := New(all(len(c.cpus))).Step(ms, c.cpus); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestNoThreadIsSentToAForbiddenCPU(t *testing.T) {
	s := New([]bool{true, false, true})
	cpus := []CPU{cpu(Primary, Waiter{7, ms}), cpu(Batch), cpu(Batch), cpu(Nothing)}
	if got := s.Step(0, cpus); !slices.Equal(got, []Move{{7, 2}}) {
		t.Errorf("Step() = %v, want [{7 2}]", got)
	}
}

func TestAThreadThatWasMovedRests(t *testing.T) {
	s := New(all(2))
	there, back := []CPU{cpu(Primary, Waiter{7, ms}), cpu(Batch)}, []CPU{cpu(Batch), cpu(Primary, Waiter{7, ms})}
	s.Step(0, there)
	if got := s.Step(restAfterMove-1, back); len(got) > 0 {
		t.Errorf("Step() before its rest is over = %v, want none", got)
	}
	if got := s.Step(restAfterMove, back); len(got) != 1 {
		t.Errorf("Step() after its rest = %v, want one", got)
	}
}

func TestAThreadThatCannotBeMovedIsLeftAlone(t *testing.T) {
	s := New(all(2))
	cpus := []CPU{cpu(Primary, Waiter{7, ms}), cpu(Batch)}
	for _, m := range s.Step(0, cpus) {
		s.Done(0, m, errors.New("pinned"))
	}
	if got := s.Step(restAfterFailure-1, cpus); len(got) > 0 {
		t.Errorf("Step() so soon after a failure = %v, want none", got)
	}
	cpus[0].Add(Waiter{9, 2 * MoveAfter})
	if got := s.Step(restAfterFailure-1, cpus); !slices.Equal(got, []Move{{9, 1}}) {
		t.Errorf("Step() with another thread behind it = %v, want [{9 1}]", got)
	}
}

// Whatever the CPUs do, Step moves at most one thread from and to each. It moves none to a CPU with
// a thread of the primary, and none that has not waited or that was moved lately.
func TestMovesKeepTheRules(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	s, moved := New(all(6)), map[int]time.Duration{}
	for now := ms; now < 20*time.Second; now += ms {
		cpus := make([]CPU, 6)
		waits := map[int]Waiter{}
		for i := range cpus {
			cpus[i].Runs = Runs(r.IntN(3))
			for range r.IntN(3) {
				w := Waiter{1 + r.IntN(40), time.Duration(r.IntN(int(4 * MoveAfter)))}
				if _, twice := waits[w.Thread]; !twice {
					cpus[i].Add(w)
					waits[w.Thread] = w
				}
			}
		}
		taken := map[int]bool{}
		for _, m := range s.Step(now, cpus) {
			last, before := moved[m.Thread]
			if to := cpus[m.To]; taken[m.To] || to.Runs == Primary || to.Waiting > 0 ||
				waits[m.Thread].Waited < MoveAfter || before && now-last < restAfterMove {
				t.Fatalf("seed %d, %v: moved %+v among %+v, want a thread that waits and a CPU that is free", seed, now, m, cpus)
			}
			taken[m.To], moved[m.Thread] = true, now
		}
	}
	if len(moved) < 30 {
		t.Errorf("seed %d: threads moved = %d, want at least 30", seed, len(moved))
	}
}

func TestTheLookingThreadLeavesItselfOut(t *testing.T) {
	yields, other := Waiter{7, 10 * time.Microsecond}, Waiter{9, 2 * ms}
	for _, c := range []struct {
		name string
		seen []Waiter
		want CPU
	}{
		{"batch work had to yield", nil, cpu(Batch)},
		{"one that waits there is about to run", []Waiter{other}, cpu(Batch, other)},
		{"a thread of the primary had to", []Waiter{yields}, cpu(Primary)},
		{"and another waits behind it", []Waiter{yields, other}, cpu(Primary, other)},
	} {
		got := cpu(Nothing, c.seen...)
		got.Stint, c.want.Stint = yields.Waited, yields.Waited
		got.ExcludeSelf()
		clear(got.Waiters[got.Waiting:])
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	s := New(all(2))
	cpus := []CPU{cpu(Primary, Waiter{7, ms}), cpu(Batch)}
	now := time.Duration(0)
	if n := testing.AllocsPerRun(100, func() { now += time.Second; s.Step(now, cpus) }); n > 0 {
		t.Errorf("Step allocates %v times, want 0", n)
	}
}

func BenchmarkStep(b *testing.B) {
	s := New(all(2))
	cpus := []CPU{cpu(Primary, Waiter{7, ms}), cpu(Batch)}
	for now := time.Duration(0); b.Loop(); now += ms {
		s.Step(now, cpus)
	}
}

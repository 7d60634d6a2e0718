package serve

import (
	"slices"
	"testing"
	"time"

	"lull/cmd/lull/exit"
	"lull/hostctl/spread"
	"lull/monitor/waits"
)

func TestWhatIsSeenReachesTheController(t *testing.T) {
	for _, c := range []struct {
		seen waits.Core
		runs spread.Runs
	}{{waits.Core{}, spread.Nothing}, {waits.Core{Batch: true}, spread.Batch}, {waits.Core{Primary: true}, spread.Primary}} {
		c.seen.Waiting, c.seen.Threads[0] = 1, waits.Waiter{Thread: 7, Waits: time.Millisecond}
		got := cpuOf(&c.seen)
		if got.Runs != c.runs || got.Waiting != 1 || got.Waiters[0] != (spread.Waiter{Thread: 7, Waits: time.Millisecond}) {
			t.Errorf("%+v: %+v", c.seen, got)
		}
		c.seen.Waiting = len(c.seen.Threads)
		if got := cpuOf(&c.seen); got.Waiting != len(c.seen.Threads) {
			t.Errorf("of %d waiting %d arrive", c.seen.Waiting, got.Waiting)
		}
	}
}

func TestNobodyMovesThreadsWithoutASensorAndAName(t *testing.T) {
	s := &sensor{}
	if s.spreader() != nil {
		t.Error("nobody sees them")
	}
	s.primary = []string{"/sys/fs/cgroup/web"}
	if s.spreader() != nil {
		t.Error("this program would be started, and does not do it")
	}
	answers = true
	defer func() { answers = false }()
	cmd, err := s.spreader()("note")
	if err != nil || !slices.Contains(cmd.Args, s.primary[0]) {
		t.Errorf("%v: %v", cmd, err)
	}
}

func TestWhoStartsThatProcessByHandIsSentAway(t *testing.T) {
	for _, args := range [][]string{nil, {"-primary", t.TempDir()}, {"-nonsense"}} {
		if status := moveThreads(args); status != exit.Usage {
			t.Errorf("%q: exit status %d", args, status)
		}
	}
}

package sense

import (
	"errors"
	"slices"
	"testing"
	"time"

	"lull/hostctl/spread"
	"lull/monitor/waits"
)

func TestWhatIsSeenReachesTheController(t *testing.T) {
	for _, c := range []struct {
		seen waits.Core
		runs spread.Runs
	}{{waits.Core{}, spread.Nothing}, {waits.Core{Batch: true}, spread.Batch}, {waits.Core{Primary: true}, spread.Primary}} {
		c.seen.Waiting, c.seen.Threads[0] = 1, waits.Waiter{Thread: 7, Waited: time.Millisecond}
		got := cpuOf(&c.seen)
		if got.Runs != c.runs || got.Waiting != 1 || got.Waiters[0] != (spread.Waiter{Thread: 7, Waited: time.Millisecond}) {
			t.Errorf("cpuOf(%+v) = %+v, want %v with thread 7 waiting", c.seen, got, c.runs)
		}
		c.seen.Waiting = len(c.seen.Threads)
		if got := cpuOf(&c.seen); got.Waiting != len(c.seen.Threads) {
			t.Errorf("cpuOf(%d waiting) = %d, want all", c.seen.Waiting, got.Waiting)
		}
	}
}

func TestNoThreadIsMovedWithoutASensorAndAName(t *testing.T) {
	s, command := &Sensor{}, []string{"/proc/self/exe", "spread"}
	if s.Spreader(command) != nil {
		t.Error("Spreader() where nothing sees the threads is not nil, want nil")
	}
	s.primary = []string{"/sys/fs/cgroup/web"}
	if s.Spreader(nil) != nil {
		t.Error("Spreader(no command) is not nil, want nil")
	}
	cmd, err := s.Spreader(command)("note")
	if err != nil || !slices.Contains(cmd.Args, s.primary[0]) || !slices.Equal(cmd.Args[:2], command) {
		t.Errorf("Spreader() = %v, %v, want the command with the primary's group", cmd, err)
	}
}

func TestTheProcessThatMovesThreadsIsStartedByAnAgent(t *testing.T) {
	for _, args := range [][]string{nil, {"-primary", t.TempDir()}, {"-nonsense"}} {
		if err := MoveThreads(args); !errors.Is(err, ErrNotStartedByAgent) {
			t.Errorf("MoveThreads(%q) = %v, want ErrByHand", args, err)
		}
	}
}

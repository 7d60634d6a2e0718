package commands

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
)

func TestAHostThatJoinsAPausedPoolIsShownAsPaused(t *testing.T) {
	s := ledger.New()
	for i, e := range []subjects.Event{
		&subjects.PoolPaused{}, &subjects.Joined{Host: "late", Cores: 1, Slots: 1, Memory: 1 << 30},
	} {
		s.Apply(uint64(i+1), time.Unix(int64(i), 0), e)
	}
	if row := hostRowOf(s, s.Host("late"), nil); row.State != "paused" {
		t.Errorf("it is shown as %q, and gets no tasks", row.State)
	}
}

func TestWeakProtectionIsCalledThat(t *testing.T) {
	for protection, want := range map[string]string{
		"cpu.idle (cgroup v1)": "cpu.idle (cgroup v1)",
		"absent: SCHED_IDLE and idle I/O class instead; the primary's p99 grows about ×3": "weak: SCHED_IDLE and idle I/O class (lull doctor)",
	} {
		if got := brief(protection); got != want {
			t.Errorf("%q is shown as %q", protection, got)
		}
	}
}

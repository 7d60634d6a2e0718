package hosts

import (
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/ledger/page"
)

// rowOf is a host's row, as the ledger lists the host.
func rowOf(t *testing.T, s *ledger.State, host string, u *subjects.Usage) hostRow {
	t.Helper()
	for _, line := range page.Hosts(s, &subjects.HostsAsk{}).Hosts {
		if line.Host == host {
			return hostRowOf(&line, u, time.Unix(10, 0))
		}
	}
	t.Fatalf("the ledger has no host %s, want it there", host)
	return hostRow{}
}

func TestAHostThatJoinsAPausedPoolIsShownAsPaused(t *testing.T) {
	s := ledger.New()
	for i, e := range []subjects.Event{
		&subjects.PoolPaused{}, &subjects.Joined{Host: "late", Cores: 1, Slots: 1, Memory: 1 << 30},
	} {
		s.Apply(uint64(i+1), time.Unix(int64(i), 0), e)
	}
	if row := rowOf(t, s, "late", nil); row.State != "paused" {
		t.Errorf("state of the host = %q, want paused, as it gets no tasks", row.State)
	}
}

// If a host is paused, the table shows by which user, as a claim unless it is proven.
func TestTheUserThatPausedAHostIsShown(t *testing.T) {
	s := ledger.New()
	shown := func(host string) string {
		row := rowOf(t, s, host, nil)
		header, cells := hostColumns([]hostRow{row})
		if header[2] != "BY" {
			return row.State
		}
		return row.State + " by " + cells(row)[2]
	}
	for i, step := range []struct {
		event subjects.Event
		want  string
	}{
		{&subjects.Joined{Host: "a", Cores: 1, Slots: 1}, "up"},
		{&subjects.Paused{Host: "a", User: "olga", Who: "ann", Why: "it is slow"}, `paused by "ann" (claimed): "it is slow"`},
		{&subjects.Led{Actor: "admission", Partition: "all", Vouched: true}, `paused by "ann" (claimed): "it is slow"`},
		{&subjects.Resumed{Host: "a", User: "olga"}, "up"},
		{&subjects.PoolPaused{User: "olga"}, "paused by olga"},
		{&subjects.Drained{Host: "a", User: "otto"}, "paused by otto"},
		{&subjects.Left{Host: "a", Term: 1}, "left"},
	} {
		s.Apply(uint64(i+1), time.Unix(int64(i), 0), step.event)
		if got := shown("a"); got != step.want {
			t.Errorf("state after %s = %s, want %s", subjects.Kind(step.event), got, step.want)
		}
	}
}

func TestWeakProtectionIsCalledThat(t *testing.T) {
	for protection, want := range map[string]string{
		"cpu.idle (cgroup v1)":                          "cpu.idle (cgroup v1)",
		"absent: SCHED_IDLE and idle I/O class instead": "weak: SCHED_IDLE and idle I/O class (lull doctor)",
		"absent: SCHED_IDLE and idle I/O class instead; the primary's p99 grows about ×3": "weak: SCHED_IDLE and idle I/O class (lull doctor)", // of an older agent
		"cpu.shares (cgroup v1) at its minimum and SCHED_IDLE instead":                    "fair: cpu.shares (cgroup v1) at its minimum and SCHED_IDLE (lull doctor)",
	} {
		if got := brief(protection); got != want {
			t.Errorf("brief(%q) = %q, want %q", protection, got, want)
		}
	}
}

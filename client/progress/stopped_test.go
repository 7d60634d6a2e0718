package progress

import (
	"strings"
	"testing"

	"lull/subjects"
)

func TestTasksThatStandStillAreNamed(t *testing.T) {
	s, _ := pool(t,
		&subjects.Joined{Host: "a", Cores: 2, Slots: 2, Memory: 1 << 30},
		twoStages(), &subjects.Admitted{Job: "j", Mode: "affected"},
		&subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1},
		&subjects.Assigned{Host: "a", Job: "j", Term: 1, Try: 1, Width: 1, TaskID: subjects.TaskID{Task: 1}, Slot: 1})
	const first, second = 4, 5 // an attempt's id is its place in the log
	stopped := subjects.Speed{Stopped: 77}
	for _, c := range []struct {
		speeds map[uint64]subjects.Speed
		want   string
	}{
		{nil, ""},
		{map[uint64]subjects.Speed{first: {}, 99: stopped}, ""},
		{map[uint64]subjects.Speed{second: stopped}, "task map/1 stands still: its process 77 on host a was stopped by a signal"},
		{map[uint64]subjects.Speed{first: stopped, second: stopped}, "; so do 1 other task"},
	} {
		if got := Stopped(s, s.Job("j"), c.speeds); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("of %v: %q, want %q in it", c.speeds, got, c.want)
		}
	}
}

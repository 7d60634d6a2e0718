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
	first, second := subjects.AttemptOn{Host: "a", Attempt: 4}, subjects.AttemptOn{Host: "a", Attempt: 5} // an attempt's id is its place in the log
	stopped := subjects.Speed{Stopped: 77}
	for _, c := range []struct {
		speeds map[subjects.AttemptOn]subjects.Speed
		want   string
	}{
		{nil, ""},
		{map[subjects.AttemptOn]subjects.Speed{first: {}, {Host: "a", Attempt: 99}: stopped}, ""},
		{map[subjects.AttemptOn]subjects.Speed{{Host: "b", Attempt: 4}: stopped}, ""}, // another host speaks of it
		{map[subjects.AttemptOn]subjects.Speed{second: stopped}, "task map/1 stands still: its process 77 on host a was stopped by a signal"},
		{map[subjects.AttemptOn]subjects.Speed{first: stopped, second: stopped}, "; so do 1 other task"},
	} {
		if got := Stopped(s, s.Job("j"), c.speeds); !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("of %v: %q, want %q in it", c.speeds, got, c.want)
		}
	}
}

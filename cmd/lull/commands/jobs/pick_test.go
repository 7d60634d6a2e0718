package jobs

import (
	"strings"
	"testing"

	"lull/client/story"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func TestPickLeavesOneAttemptOfEachTask(t *testing.T) {
	attempt := func(stage, task, try uint32) *story.Attempt {
		return &story.Attempt{TaskID: subjects.TaskID{Stage: stage, Task: task}, Try: try, ID: uint64(100*stage + 10*task + try)}
	}
	all := []*story.Attempt{attempt(1, 0, 1), attempt(0, 1, 1), attempt(0, 0, 1), attempt(0, 1, 2)}
	j := &ledger.Job{ID: "j", Shape: new(spec.Job), Stages: make([]*ledger.Stage, 2)}
	j.Shape.Stages = []spec.Stage{{Name: "map"}, {Name: "reduce"}}
	for _, c := range []struct {
		pick pick
		want string
	}{
		{pick{task: -1}, "map/0 map/1#2 reduce/0"},
		{pick{task: -1, stage: "map"}, "map/0 map/1#2"},
		{pick{task: 1, stage: "map"}, "map/1#2"},
		{pick{task: -1, attempt: 1}, "map/0 map/1 reduce/0"},
		{pick{task: 7, stage: "map"}, ""},
	} {
		chosen, err := c.pick.of(j)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range chosen.among(all) {
			got = append(got, label(j, a))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v leaves %q, want %s", c.pick, got, c.want)
		}
	}
	if _, err := (&pick{task: 1}).of(j); err == nil || !strings.Contains(err.Error(), "add --stage") {
		t.Errorf("a task of no stage: %v", err)
	}
}

func TestPrefixedMarksEveryLine(t *testing.T) {
	var b strings.Builder
	long := strings.Repeat("x", 100<<10)
	if err := prefixed(&b, strings.NewReader("one\n\ntwo\n"+long), "p | "); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "p | one\np | \np | two\np | xxx") || strings.Count(got, "x") != len(long) {
		t.Errorf("got %d bytes: %.60q", len(got), got)
	}
}

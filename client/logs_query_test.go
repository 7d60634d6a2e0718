package client

import (
	"errors"
	"strings"
	"testing"

	"lull/actors"
	"lull/client/story"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func TestLogQueryLeavesOneAttemptOfEachTask(t *testing.T) {
	attempt := func(stage, task, try uint32) *story.Attempt {
		return &story.Attempt{TaskID: subjects.TaskID{Stage: stage, Task: task}, Try: try, ID: uint64(100*stage + 10*task + try)}
	}
	all := []*story.Attempt{attempt(1, 0, 1), attempt(0, 1, 1), attempt(0, 0, 1), attempt(0, 1, 2), attempt(2, 0, 1), attempt(9, 0, 1)}
	j := &ledger.Job{ID: "j", Shape: new(spec.Job), Stages: make([]*ledger.Stage, 3)}
	j.Shape.Stages = []spec.Stage{{Name: "map"}, {Name: "reduce"}, {Name: spec.PublishName, Publish: true}}
	for _, c := range []struct {
		query LogQuery
		want  string
	}{
		{LogQuery{}, "map/0 map/1#2 reduce/0"},
		{LogQuery{Stage: "map"}, "map/0 map/1#2"},
		{LogQuery{Stage: "map", Task: new(uint32(1))}, "map/1#2"},
		{LogQuery{Attempt: 1}, "map/0 map/1 reduce/0"},
		{LogQuery{Stage: "map", Task: new(uint32(7))}, ""},
	} {
		chosen, err := c.query.resolve(j)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range chosen.latest(all) {
			got = append(got, chosen.name(a))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v leaves %q, want %s", c.query, got, c.want)
		}
	}
	c, err := LogQuery{Attempt: 2}.resolve(j)
	if err != nil {
		t.Fatal(err)
	}
	c.labels = story.LabelsOf([]actors.Entry{{Event: &subjects.Submitted{Spec: spec.Job{Stages: []spec.Stage{{Splits: []spec.Split{{}, {Param: "b.wav"}}}}}}}})
	if a := c.latest(all); len(a) != 1 || c.name(a[0]) != "map/1#2 (b.wav)" {
		t.Errorf("names of second attempts = %v, want map/1#2 (b.wav)", a)
	}
	for _, stage := range []string{"sort", spec.PublishName} {
		if _, err := (LogQuery{Stage: stage}).resolve(j); !errors.Is(err, ErrNoStage) {
			t.Errorf("LogQuery{Stage: %s} = %v, want ErrNoStage", stage, err)
		}
	}
}

func TestCopyLinesMarksEveryLine(t *testing.T) {
	var b strings.Builder
	long := strings.Repeat("x", 100<<10)
	if err := copyLines(&b, strings.NewReader("one\n\ntwo\n"+long), "p | "); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.HasPrefix(got, "p | one\np | \np | two\np | xxx") || strings.Count(got, "x") != len(long) {
		t.Errorf("%d bytes: %.60q, want each line behind p", len(got), got)
	}
}

// An attempt that was ended for others, or declined, may have written nothing, and so may one that failed,
// unless the log holds its last lines. It is a fault if the log of any other cannot be read.
func TestOnlyAttemptsThatMayHaveBeenSilentMayHaveNoLog(t *testing.T) {
	for _, c := range []struct {
		end  subjects.Event
		want bool
	}{
		{&subjects.Evicted{Reason: subjects.ReasonRevoked}, true}, {&subjects.Declined{}, true},
		{&subjects.Failed{Exit: 4}, true}, {&subjects.Failed{Tail: "no such file"}, false},
		{&subjects.Finished{}, false}, {nil, false},
	} {
		if got := mayLackLog(&story.Attempt{End: c.end}); got != c.want {
			t.Errorf("mayLackLog(%T) = %v, want %v", c.end, got, c.want)
		}
	}
}

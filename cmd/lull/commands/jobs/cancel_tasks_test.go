package jobs

import (
	"reflect"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

func TestTasksAreNamedByNumberOrByTheirMatrix(t *testing.T) {
	doc, err := spec.Parse([]byte(`{"name":"j","stages":[{"name":"sweep","matrix":{"lr":["0.1","1"],"seed":["a","b"]},"command":"true"},{"name":"sum","from":"sweep","tasks":1,"command":"true"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	job, err := doc.Job()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tasks, where string
		want         []subjects.Span
		fault        string
	}{
		{"sweep/0-1,3", "", []subjects.Span{{First: 0, Count: 2}, {First: 3, Count: 1}}, ""},
		{"sweep/2 sweep/1", "", []subjects.Span{{First: 1, Count: 2}}, ""},
		{"", "lr=1", []subjects.Span{{First: 2, Count: 2}}, ""},
		{"", "seed=b lr=0.1", []subjects.Span{{First: 1, Count: 1}}, ""},
		{"sweep/0-2", "seed=a", []subjects.Span{{First: 0, Count: 1}, {First: 2, Count: 1}}, ""},
		{"sweep/4", "", nil, "stage sweep has tasks 0 to 3"},
		{"swep/1", "", nil, `no stage "swep": it has sweep, sum`},
		{"sweep", "", nil, "write STAGE/RANGE"},
		{"sweep/3-1", "", nil, "no range of tasks"},
		{"", "lr=2", nil, "stage sweep has lr, seed"},
		{"", "lr", nil, "write NAME=VALUE"},
		{"sweep/0", "lr=1", nil, "no task has both"},
	} {
		s := some{strings.Fields(c.tasks), strings.Fields(c.where)}
		got, err := s.of(&job)
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) {
				t.Errorf("--task %q --where %q: %v, %v, want an error with %q", c.tasks, c.where, got, err, c.fault)
			}
			continue
		}
		if want := []subjects.StageTasks{{Tasks: c.want}}; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("--task %q --where %q: %v, %v, want %v", c.tasks, c.where, got, err, want)
		}
	}
}

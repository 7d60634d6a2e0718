package story

import (
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

func TestTasksThatWaitForAtOnceSaySo(t *testing.T) {
	for want, bound := range map[string]func(*spec.Job){
		"Now: 2 tasks of a waiting: at_once: 1 of its tasks run already.\n":       func(j *spec.Job) { j.Stages[0].AtOnce = 1 },
		"Now: 2 tasks of a waiting: at_once: 1 of the job's tasks run already.\n": func(j *spec.Job) { j.AtOnce = 1 },
		"": func(j *spec.Job) { j.AtOnce, j.Stages[0].AtOnce = 2, 2 },
	} {
		job := spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{{Name: "a", Argv: []string{"true"}, Tasks: 3, CPU: 1, Memory: 1}}}
		bound(&job)
		s, now := ledger.New(), time.Unix(1_700_000_000, 0)
		for i, e := range []subjects.Event{
			&subjects.Joined{Host: "h", Slots: 4, Cores: 4, Memory: 8e9},
			&subjects.Submitted{Job: "j", Spec: job, Inbox: 1},
			&subjects.Admitted{Job: "j"},
			&subjects.Assigned{Host: "h", Job: "j", Term: 1, Doc: 2, Try: 1, Width: 1},
		} {
			if v := s.Apply(uint64(i+1), now, e); v.Outcome == ledger.Void {
				t.Fatalf("%T is void: %s", e, v.Why)
			}
		}
		told := Job(s, s.Job("j"), nil, nil, now, Brief)
		if at := strings.Index(told, "Now: "); want == "" && at >= 0 || !strings.Contains(told, want) {
			t.Errorf("the story of %+v says %q, want %q", job, told, want)
		}
		one := Task(s.Job("j"), subjects.TaskID{Task: 2}, nil, now, Brief)
		if bounded := want != ""; strings.Contains(one, "at_once") != bounded {
			t.Errorf("the story of a waiting task is %q, want at_once in it: %v", one, bounded)
		}
	}
}

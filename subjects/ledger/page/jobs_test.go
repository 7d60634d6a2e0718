package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// crowd is a state with so many jobs: every third has ended, every second is in queue q.
func crowd(t *testing.T, jobs int) *ledger.State {
	t.Helper()
	s := ledger.New()
	for i := range jobs {
		job := spec.Job{Name: fmt.Sprint("n", i%10), Type: "t", Stages: []spec.Stage{{Name: "s", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}}}
		if i%2 == 1 {
			job.Queue = "q"
		}
		id := fmt.Sprint("j", i)
		s.Apply(s.Seq+1, time.Unix(int64(i), 0), &subjects.Submitted{Job: id, Spec: job, At: int64(i)})
		s.Apply(s.Seq+1, time.Unix(int64(i), 0), &subjects.Admitted{Job: id})
		if i%3 == 0 {
			s.Apply(s.Seq+1, time.Unix(int64(i), 0), &subjects.Cancelled{Job: id, Why: "enough"})
		}
	}
	return s
}

// all follows the pages of an answer.
func all(t *testing.T, s *ledger.State, ask subjects.JobsAsk) (ids []string, pages int) {
	t.Helper()
	for {
		answer := Jobs(s, &ask)
		if answer.Error != "" || answer.Known != uint32(s.Jobs().Len()) {
			t.Fatalf("Jobs(%+v) = error %q, %d jobs known, want none, %d", ask, answer.Error, answer.Known, s.Jobs().Len())
		}
		for _, l := range answer.Jobs {
			ids = append(ids, l.Job)
		}
		pages++
		if ask.Before = answer.Next; ask.Before == 0 {
			return ids, pages
		}
	}
}

func TestPagesListEveryJobOnce(t *testing.T) {
	const jobs = 3000
	s := crowd(t, jobs)
	ids, pages := all(t, s, subjects.JobsAsk{})
	if len(ids) != jobs || ids[0] != "j2999" || ids[jobs-1] != "j0" || pages < 3 {
		t.Errorf("%d jobs on %d pages, from %s to %s, want %d on at least 3, from j2999 to j0", len(ids), pages, ids[0], ids[len(ids)-1], jobs)
	}
	for name, c := range map[string]struct {
		ask  subjects.JobsAsk
		want int
	}{
		"a queue":     {subjects.JobsAsk{Queue: "q"}, jobs / 2},
		"no queue":    {subjects.JobsAsk{Queue: spec.DefaultQueue}, jobs / 2},
		"a name":      {subjects.JobsAsk{Name: "n[12]"}, jobs / 5},
		"open ones":   {subjects.JobsAsk{States: []string{subjects.OpenJobs}}, jobs * 2 / 3},
		"cancelled":   {subjects.JobsAsk{States: []string{"cancelled", "failed"}}, jobs / 3},
		"an id":       {subjects.JobsAsk{Job: "j299"}, 11},
		"a whole id":  {subjects.JobsAsk{Job: "j299", Whole: true}, 1},
		"of late":     {subjects.JobsAsk{Since: jobs - 100}, 100},
		"none such":   {subjects.JobsAsk{Job: "j299x", Whole: true}, 0},
		"small pages": {subjects.JobsAsk{Limit: 7}, jobs},
		"all of it":   {subjects.JobsAsk{Queue: "q", Name: "n1", States: []string{"admitted"}, Job: "j"}, jobs / 10 * 2 / 3},
	} {
		ids, _ := all(t, s, c.ask)
		seen := map[string]bool{}
		for _, id := range ids {
			seen[id] = true
		}
		if len(ids) != c.want || len(seen) != c.want {
			t.Errorf("%s: %d jobs, %d of them different, want %d", name, len(ids), len(seen), c.want)
		}
	}
	if answer := Jobs(s, &subjects.JobsAsk{Name: "["}); answer.Error == "" {
		t.Error("Jobs(Name: [) has no error, want one")
	}
}

// Any client may ask, so the filter that each of many jobs is compared with is bounded.
func TestPagesAreCheap(t *testing.T) {
	s := crowd(t, 10)
	for name, ask := range map[string]subjects.JobsAsk{
		"a long pattern":  {Name: strings.Repeat("[an]*", 1000)},
		"a wrong pattern": {Name: "["},
		"many states":     {States: make([]string, 1000)},
	} {
		if answer := Jobs(s, &ask); answer.Error == "" || len(answer.Error) > 2*pageName || len(answer.Jobs) > 0 {
			t.Errorf("Jobs(%s) = error %q, %d jobs, want a short error and no jobs", name, answer.Error, len(answer.Jobs))
		}
	}
}

// A finished job lists what is done: not tasks that failed for good or that a failed stage left, but all
// of a stage that had nothing to do.
func TestAFinishedJobListsWhatIsDone(t *testing.T) {
	s := ledger.New()
	apply := func(e subjects.Event) {
		if v := s.Apply(s.Seq+1, time.Unix(int64(s.Seq), 0), e); v.Outcome == ledger.Void {
			t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
		}
	}
	stage := func(name string, o spec.Outcome, after ...uint32) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"true"}, Tasks: 3, CPU: 1, Memory: 1, After: after, Outcome: o}
	}
	apply(&subjects.Joined{Host: "a", Cores: 4, Slots: 4, Memory: 1 << 30})
	apply(&subjects.Submitted{Job: "j", Spec: spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{
		stage("sweep", spec.Outcome{AllowFailure: true}), stage("alarm", spec.Outcome{When: spec.WhenFailure, MaxFailures: 3}, 0),
		stage("never", spec.Outcome{When: spec.WhenFailure}, 1),
	}}})
	apply(&subjects.Admitted{Job: "j"})
	run := func(id subjects.TaskID, fails bool) {
		apply(&subjects.Assigned{Host: "a", Job: "j", Term: 1, TaskID: id, Try: 1, Width: 1})
		fact := subjects.Fact{TaskID: id, Term: 1, Attempt: s.Seq}
		if fails {
			apply(&subjects.Failed{Host: "a", Job: "j", Fact: fact})
		} else {
			apply(&subjects.Finished{Host: "a", Job: "j", Fact: fact})
		}
	}
	run(subjects.TaskID{}, false)
	run(subjects.TaskID{Task: 1}, true) // the third task of the stage does not run
	for i := range uint32(3) {
		run(subjects.TaskID{Stage: 1, Task: i}, false)
	}
	apply(&subjects.JobFinished{Job: "j"})
	if l := jobLine(s, s.Job("j")); l.Done != 1+3+3 || l.Totals.Tasks != 9 {
		t.Errorf("%d of %d done, want 7 of 9", l.Done, l.Totals.Tasks)
	}
}

package ledger

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// crowd is a state with so many jobs: every third has ended, every second is in queue q.
func crowd(t *testing.T, jobs int) *State {
	t.Helper()
	s := New()
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
func all(t *testing.T, s *State, ask subjects.JobsAsk) (ids []string, pages int) {
	t.Helper()
	for {
		answer := s.Page(&ask)
		if answer.Error != "" || answer.Known != uint32(s.Jobs().Len()) {
			t.Fatalf("%+v: error %q, %d jobs known", ask, answer.Error, answer.Known)
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
		t.Errorf("%d jobs on %d pages, from %s to %s", len(ids), pages, ids[0], ids[len(ids)-1])
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
	if answer := s.Page(&subjects.JobsAsk{Name: "["}); answer.Error == "" {
		t.Error("a name without an end is no mistake")
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
		if answer := s.Page(&ask); answer.Error == "" || len(answer.Error) > 2*pageName || len(answer.Jobs) > 0 {
			t.Errorf("%s is answered with %q and %d jobs", name, answer.Error, len(answer.Jobs))
		}
	}
}

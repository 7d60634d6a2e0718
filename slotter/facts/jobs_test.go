package facts

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// The lists of jobs by model and by deadline, and those from an entry on, agree with the list of all, while jobs come and go
// and deadlines that were wished for pass.
func TestTheListsOfJobsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	f := New(Config{}, ledger.New())
	c := NewCatalog(f)
	for seq := uint64(1); seq < 600; seq++ {
		f.Now = int64(seq) * int64(time.Second)
		if n := len(f.Jobs.BySeq); n > 0 && rng.IntN(3) == 0 {
			c.Unschedule(f.Jobs.BySeq[rng.IntN(n)])
		} else {
			id := fmt.Sprint("j", seq)
			stages := []spec.Stage{
				{Name: "one", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1, Estimate: time.Second},
				{Name: "two", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1, Estimate: time.Second},
			}
			e := &subjects.Submitted{Job: id, Spec: spec.Job{Name: "job", Type: fmt.Sprint("t", rng.IntN(4)), Stages: stages[:1+rng.IntN(2)]}, Inbox: seq}
			if rng.IntN(2) == 0 {
				e.Deadline = f.Now + rng.Int64N(int64(time.Minute))
			}
			c.Schedule(f.Ledger.Apply(seq, time.Unix(0, f.Now), e).Job)
		}
		f.Jobs.DropPassedDeadlines(f.Now)
		checkLists(t, &f.Jobs)
	}
}

func checkLists(t *testing.T, s *Jobs) {
	t.Helper()
	want := map[string][]*Job{}
	for _, j := range s.BySeq {
		for i := range j.Life.Shape.Stages {
			model := j.Life.Shape.Model(i)
			want[model] = append(want[model], j)
		}
	}
	if !maps.EqualFunc(want, s.ofModel, slices.Equal[[]*Job]) {
		t.Fatalf("by model: %v, want %v", s.ofModel, want)
	}
	due := slices.Clone(s.BySeq)
	slices.SortFunc(due, urgentFirst)
	if !slices.Equal(due, s.ByDeadline) {
		t.Fatalf("by deadline: %v, want %v", s.ByDeadline, due)
	}
	for i, j := range s.BySeq {
		if got := slices.Collect(s.From(j.Life.Seq)); len(got) != len(s.BySeq)-i || got[0] != j.Life {
			t.Fatalf("From(job %d of %d) = %d jobs, want the rest from it on", i, len(s.BySeq), len(got))
		}
	}
}

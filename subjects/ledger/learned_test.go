package ledger

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// A pool in which every job has a type of its own forgets the models that were learned first. Those
// of open jobs stay, and so do the newest.
func TestModelsThatNoJobHasAreForgotten(t *testing.T) {
	s := New()
	stage := spec.Stage{Name: "one", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}
	tell(s,
		&subjects.Submitted{Job: "open", Spec: spec.Job{Name: "open", Type: "open", Stages: []spec.Stage{stage}}},
		&subjects.Fitted{Type: "open"}, &subjects.Fitted{Type: "weekly"},
	)
	for i := range 4 * keepLearned {
		tell(s, &subjects.Fitted{Type: fmt.Sprintf("once-%d", i)})
		if i%500 == 499 {
			tell(s, &subjects.Fitted{Type: "weekly"})
		}
		if n := len(s.Types()); n > 2+keepLearned*5/4 {
			t.Fatalf("models kept = %d, want at most %d", n, 2+keepLearned*5/4)
		}
	}
	for _, kept := range []string{"open", "weekly", fmt.Sprintf("once-%d", 4*keepLearned-1)} {
		if s.Model(kept) == nil {
			t.Errorf("Model(%s) = nil, want it kept", kept)
		}
	}
	if s.Model("once-0") != nil || !slices.IsSorted(s.Types()) {
		t.Errorf("Model(once-0) = %v, want nil; types sorted = %v, want true", s.Model("once-0"), slices.IsSorted(s.Types()))
	}
}

// A state that was saved and restored forgets what the other one does.
func TestARestoredStateForgetsTheSameModels(t *testing.T) {
	s, restored := New(), New()
	for i := range 3 * keepLearned {
		e := &subjects.Fitted{Type: fmt.Sprintf("once-%d", (i*7919)%2000)}
		tell(s, e)
		tell(restored, e)
		if i%700 == 0 {
			restored = again(t, restored)
		}
	}
	a, err := s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if b, err := restored.Snapshot(); err != nil || !bytes.Equal(a, b) {
		t.Errorf("restored: %d models, %v, want the bytes of the state with %d", len(restored.Types()), err, len(s.Types()))
	}
}

// ownType opens a job with a type of its own.
func ownType(id string) *subjects.Submitted {
	stage := spec.Stage{Name: "one", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}
	return &subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: id, Stages: []spec.Stage{stage}}}
}

// What is kept is as if all open jobs were looked through at each model.
func TestWhatIsForgottenFollowsFromTheOpenJobs(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	s, said := New(), map[string]int{} // the twin: when each model was fitted last
	for i := range 4 * keepLearned {
		id := fmt.Sprint("job-", rng.IntN(3*keepLearned))
		switch rng.IntN(5) {
		case 0:
			tell(s, ownType(id))
		case 1:
			tell(s, &subjects.Cancelled{Job: id})
		case 2:
			tell(s, &subjects.Retried{Job: id})
		default:
			tell(s, &subjects.Fitted{Type: id})
			said[id] = i
			forget(s, said)
		}
		if i%500 == 0 {
			s = again(t, s)
		}
	}
	if names := slices.Sorted(maps.Keys(said)); len(names) < keepLearned || !slices.Equal(names, s.Types()) {
		t.Errorf("%d models are kept, want %d", len(s.Types()), len(names))
	}
}

// forget is the slow way to forget models.
func forget(s *State, said map[string]int) {
	if len(said) < keepLearned+keepLearned/4 {
		return
	}
	used := map[string]bool{}
	for j := range s.LiveJobs().All() {
		used[j.Shape.Model(0)] = true
	}
	var idle []string
	for name := range said {
		if !used[name] {
			idle = append(idle, name)
		}
	}
	slices.SortFunc(idle, func(a, b string) int { return cmp.Compare(said[a], said[b]) })
	for _, name := range idle[:max(len(idle)-keepLearned, 0)] {
		delete(said, name)
	}
}

// With any number of models in use, one more costs what the first did.
func TestAModelLooksThroughNoOpenJobs(t *testing.T) {
	s := New()
	for i := range 3 * keepLearned {
		id := fmt.Sprint("job-", i)
		tell(s, ownType(id), &subjects.Fitted{Type: id})
	}
	e := &subjects.Fitted{Type: "job-7"}
	if n := testing.AllocsPerRun(100, func() { tell(s, e) }); n > 10 {
		t.Errorf("Apply(Fitted) allocates %v times, want at most 10", n)
	}
}

func TestResponsesThatNoJobHasAreForgotten(t *testing.T) {
	s := New()
	tell(s, &subjects.Joined{Host: "h"})
	for i := range 2 * keepLearned {
		id := fmt.Sprintf("job-%d", i)
		stage := spec.Stage{Name: "one", Argv: []string{"true"}, Tasks: 1, CPU: 1, Memory: 1}
		tell(s, &subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: id, Stages: []spec.Stage{stage}}},
			&subjects.Identified{Host: "h", Job: id, Fact: subjects.Fact{Term: 1}, A: 0.5, B: 1},
			&subjects.Rejected{Job: id})
	}
	if n := len(s.responses.names); n > keepLearned*5/4 || s.Response("job-0") != nil || s.Response(fmt.Sprintf("job-%d", 2*keepLearned-1)) == nil {
		t.Errorf("responses kept = %d, want at most %d, the newest among them", n, keepLearned*5/4)
	}
	if again := again(t, s); len(again.responses.names) != len(s.responses.names) {
		t.Errorf("restored responses = %d, want %d", len(again.responses.names), len(s.responses.names))
	}
}

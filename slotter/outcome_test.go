package slotter

import (
	"slices"
	"strings"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// play runs a job to its end. The first tasks of some stages fail, and what runs takes its turn in
// the order of the stages. It returns the names of the stages in the order in which their tasks
// ended, with ! for a failure, and how the job ended.
func play(t *testing.T, p *pool, job spec.Job, failing map[string]int) string {
	t.Helper()
	failing = map[string]int{"a": failing["a"], "b": failing["b"]}
	if p.a.facts.Ledger.Job("j") == nil {
		p.submitSpec("j", time.Hour, job)
	}
	j := p.a.facts.Ledger.Job("j")
	var ran []string
	for range 50 {
		p.settle()
		if j.Phase.Ended() {
			return strings.Join(append(ran, j.Phase.String()), " ")
		}
		at := next(p)
		if at == nil {
			t.Fatalf("nothing runs after %v, and the job is %s, want it to go on", ran, j.Phase)
		}
		name := job.Stages[at.Task.Stage].Name
		if failing[name] > 0 {
			failing[name]--
			ran = append(ran, name+"!")
			p.say(&subjects.Failed{Host: "h", Job: "j", Fact: fact(at), Reason: subjects.ReasonExit, Exit: 1})
			continue
		}
		ran = append(ran, name)
		p.say(done(at, 10))
	}
	t.Fatalf("ran %v, want an end", ran)
	return ""
}

// next is the attempt of the earliest stage and task that the pool wants.
func next(p *pool) *ledger.Attempt {
	attempts := slices.DeleteFunc(slices.Clone(p.a.facts.Ledger.Host("h").Attempts()), func(at *ledger.Attempt) bool {
		if at.State == ledger.Revoked {
			p.say(&subjects.Evicted{Host: "h", Job: at.Job.ID, Fact: fact(at), Reason: subjects.ReasonRevoked})
		}
		return at.State == ledger.Revoked
	})
	if len(attempts) == 0 {
		return nil
	}
	return slices.MinFunc(attempts, func(a, b *ledger.Attempt) int {
		return int(a.Task.Stage)*100 + int(a.Task.Task) - int(b.Task.Stage)*100 - int(b.Task.Task)
	})
}

// stagesOf returns a job with the stages a, b after a, and others. a has some tasks, the others
// one.
func stagesOf(a spec.Outcome, tasksOfA uint32, others ...spec.Stage) spec.Job {
	first := tasks("a", tasksOfA)
	first.Outcome, first.Retries = a, 0
	job := spec.Job{Name: "j", Type: "j", Stages: append([]spec.Stage{first}, others...)}
	return job
}

func after(name string, o spec.Outcome, stages ...uint32) spec.Stage {
	st := tasks(name, 1)
	st.Outcome, st.After, st.Retries = o, stages, 0
	return st
}

func TestOutcomesOfStages(t *testing.T) {
	onFailure, always := spec.Outcome{When: spec.WhenFailure}, spec.Outcome{When: spec.WhenAlways}
	for _, c := range []struct {
		name  string
		job   spec.Job
		fails map[string]int
		want  string
	}{
		{"a failure ends the job", stagesOf(spec.Outcome{}, 3, after("b", spec.Outcome{}, 0)), map[string]int{"a": 1}, "a! failed"},
		{"as many may fail", stagesOf(spec.Outcome{MaxFailures: 2}, 3, after("b", spec.Outcome{}, 0)), map[string]int{"a": 2}, "a! a! a b finished"},
		{"more may not", stagesOf(spec.Outcome{MaxFailures: 1}, 3, after("b", spec.Outcome{}, 0)), map[string]int{"a": 2}, "a! a! failed"},
		{"all may fail", stagesOf(spec.Outcome{MaxFailures: 3}, 3), map[string]int{"a": 3}, "a! a! a! finished"},
		{"the others run first", stagesOf(spec.Outcome{KeepGoing: true}, 3, after("b", spec.Outcome{}, 0)), map[string]int{"a": 1}, "a! a a failed"},
		{"the stage may fail", stagesOf(spec.Outcome{AllowFailure: true}, 3, after("b", spec.Outcome{}, 0)), map[string]int{"a": 1}, "a! b finished"},
		{"the last may fail", stagesOf(spec.Outcome{}, 1, after("b", spec.Outcome{AllowFailure: true}, 0)), map[string]int{"b": 1}, "a b! finished"},
		{"nothing failed", stagesOf(spec.Outcome{}, 1, after("b", onFailure, 0), after("c", always, 0), after("d", spec.Outcome{}, 1)), nil, "a c d finished"},
		{"a failure is handled", stagesOf(spec.Outcome{}, 3, after("b", onFailure, 0), after("c", always, 0), after("d", spec.Outcome{}, 1)), map[string]int{"a": 1}, "a! b c failed"},
		{"one that was allowed, too", stagesOf(spec.Outcome{AllowFailure: true}, 1, after("b", onFailure, 0), after("c", spec.Outcome{}, 0)), map[string]int{"a": 1}, "a! b c finished"},
		{"a failure is handled two stages on", stagesOf(spec.Outcome{}, 1, after("b", spec.Outcome{}, 0), after("c", onFailure, 1)), map[string]int{"a": 1}, "a! c failed"},
		{"what handles it fails", stagesOf(spec.Outcome{}, 1, after("b", onFailure, 0), after("c", always, 1)), map[string]int{"a": 1, "b": 1}, "a! b! c failed"},
		{"a stage beside it ends", stagesOf(spec.Outcome{}, 1, after("other", spec.Outcome{}), after("c", always, 0, 1)), map[string]int{"a": 1}, "a! c failed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPool(t, Config{})
			p.join("h", 4, 1000, 4)
			if got := play(t, p, c.job, c.fails); got != c.want {
				t.Errorf("played = %s, want %s", got, c.want)
			}
		})
	}
}

func TestARetryRepeatsWhatHandledTheFailure(t *testing.T) {
	p := newPool(t, Config{})
	p.join("h", 4, 1000, 4)
	job := stagesOf(spec.Outcome{}, 2, after("b", spec.Outcome{When: spec.WhenAlways}, 0))
	if got, want := play(t, p, job, map[string]int{"a": 1}), "a! b failed"; got != want {
		t.Fatalf("played = %s, want %s", got, want)
	}
	p.say(&subjects.Retried{Job: "j"})
	if got, want := play(t, p, job, nil), "a a b finished"; got != want {
		t.Errorf("played after the retry = %s, want %s", got, want)
	}
}

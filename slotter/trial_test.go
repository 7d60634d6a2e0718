package slotter

import (
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// try submits a job; its verdict waits for a few of its tasks.
func (p *pool) try(id string, stages ...spec.Stage) {
	p.say(
		&subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: id, Stages: stages}, At: p.now.UnixNano(), Deadline: p.now.Add(time.Hour).UnixNano()},
		&subjects.Trying{Job: id, Until: p.now.Add(6 * time.Minute).UnixNano()},
	)
}

// given counts the tasks that were given away.
func given(events []subjects.Event) (n int) {
	for _, e := range events {
		if _, ok := e.(*subjects.Assigned); ok {
			n++
		}
	}
	return n
}

func TestAFewTasksOfEachReadyStageRunBeforeTheVerdict(t *testing.T) {
	for _, policy := range Policies() {
		p := newPool(t, Config{Policy: policy})
		p.join("a", 32, 64e9, 32)
		reduce := tasks("reduce", 100)
		reduce.After = []uint32{0}
		p.try("j", tasks("map", 100), reduce, tasks("few", 2), tasks("other", 100))
		if n := given(p.settle()); n != 2*subjects.TrialTasks+2 {
			t.Errorf("%s: tasks before the verdict = %d, want %d", policy, n, 2*subjects.TrialTasks+2)
		}
		p.say(&subjects.Admitted{Job: "j"})
		if n := given(p.settle()); n != 32-2*subjects.TrialTasks-2 {
			t.Errorf("%s: tasks after the verdict = %d, want %d", policy, n, 32-2*subjects.TrialTasks-2)
		}
	}
}

func TestTasksOfARejectedTrialAreRevoked(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 8, 64e9, 8)
	p.try("j", tasks("one", 100))
	p.settle()
	p.say(&subjects.Rejected{Job: "j", Code: subjects.ReasonDeadline})
	revoked := 0
	for _, e := range p.settle() {
		if _, ok := e.(*subjects.Revoked); ok {
			revoked++
		}
	}
	if revoked != subjects.TrialTasks || len(p.a.facts.Jobs.BySeq) != 0 {
		t.Errorf("attempts revoked, jobs left = %d, %d, want %d, 0", revoked, len(p.a.facts.Jobs.BySeq), subjects.TrialTasks)
	}
}

func TestATrialMayBeTheWholeJob(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 8, 64e9, 8)
	p.try("j", tasks("one", 1))
	p.settle()
	p.say(&subjects.Finished{Host: "a", Job: "j", Fact: fact(p.a.facts.Ledger.Attempt(p.seq)), Run: subjects.Run{Seconds: 1, Residual: 1}})
	if events := p.settle(); !slices.ContainsFunc(events, func(e subjects.Event) bool { _, ok := e.(*subjects.JobFinished); return ok }) {
		t.Errorf("events = %s, want the job finished", describe(events))
	}
}

// A deadline that is a wish counts until it has passed, and not at all if it was not promised.
func TestAWishCountsAsLongAsItCanBeKept(t *testing.T) {
	p := newPool(t, Config{Policy: PolicyEDF})
	submit := func(id string, deadline time.Duration, late bool) {
		p.say(
			&subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: id, Late: true, Stages: []spec.Stage{tasks("one", 10)}}, At: p.now.UnixNano(), Deadline: p.now.Add(deadline).UnixNano()},
			&subjects.Admitted{Job: id, Late: late},
		)
	}
	submit("wish", time.Minute, false)
	submit("late", time.Second, true)
	p.submit("due", time.Hour, tasks("one", 10))
	next := func() string {
		h := "h" + string(rune('a'+len(p.a.facts.Hosts.ByName)))
		p.join(h, 1, 1e9, 1)
		for _, e := range p.turn() {
			if a, ok := e.(*subjects.Assigned); ok {
				return a.Job
			}
		}
		return ""
	}
	if got := next(); got != "wish" {
		t.Errorf("job of the slot = %q, want wish: it can still be kept", got)
	}
	p.now = p.now.Add(2 * time.Minute)
	if got := next(); got != "due" {
		t.Errorf("job of the slot after the wish has passed = %q, want due", got)
	}
}

package slotter

import (
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// publishes is a job of two tasks with results, from a machine of this name.
func publishes(origin string) spec.Job {
	publish := spec.Stage{Name: "publish", Tasks: 1, CPU: 1, Memory: 1, Publish: true, From: []spec.From{{Stage: 0}}}
	return spec.Job{Name: "j", Type: "j", Output: "/out", Origin: origin, Stages: []spec.Stage{tasks("one", 4), publish}}
}

// decline has each host that is to look say that it cannot write, and counts the tasks that the
// others were given.
func (p *pool) decline(unable ...string) (given int) {
	for _, e := range p.settle() {
		a, ok := e.(*subjects.Assigned)
		if !ok {
			continue
		}
		at := p.a.facts.Ledger.Host(a.Host).Attempts()
		for _, one := range at {
			if one.Task == a.TaskID && a.Probe && len(unable) > 0 && strings.Contains(strings.Join(unable, " "), a.Host) {
				p.say(&subjects.Declined{Host: a.Host, Job: a.Job, Fact: fact(one), Reason: subjects.ReasonUnwritable, Text: "nobody may not write to /out"})
			} else if one.Task == a.TaskID {
				given++
			}
		}
	}
	return given
}

func TestAJobWithoutAHostThatCanPublishFailsBeforeItsTasksRun(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.join("b", 1, 1000, 1)
	p.submitSpec("j", 0, publishes("laptop"))
	if given := p.decline("a", "b"); given != 0 {
		t.Errorf("tasks given = %d, want 0", given)
	}
	p.settle()
	j := p.a.facts.Ledger.Job("j")
	if want := "the results cannot be published from any host that might (a, b): nobody may not write to /out"; j.Phase != ledger.Failed || j.Code != subjects.ReasonOutput || j.Text != want {
		t.Errorf("the job is %s (%s): %q, want failed (%s): %q", j.Phase, j.Code, j.Text, subjects.ReasonOutput, want)
	}
}

func TestResultsArePublishedWhereTheyCanBe(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.join("b", 1, 1000, 1)
	p.submitSpec("j", 0, publishes("laptop"))
	if given := p.decline("a"); given == 0 {
		t.Error("tasks given = 0, want at least 1: a host can write")
	}
	for range 20 {
		p.pass(2)
		p.settle()
		for _, h := range []string{"a", "b"} {
			for _, at := range p.a.facts.Ledger.Host(h).Attempts() {
				if at.Task.Stage == 1 && h == "a" {
					t.Fatal("host a publishes, want a host that can write")
				}
				p.say(done(at, 1))
			}
		}
	}
	if j := p.a.facts.Ledger.Job("j"); j.Phase != ledger.Finished {
		t.Errorf("the job is %s: %s, want finished", j.Phase, j.Text)
	}
}

// Only the machine where the job came from publishes, so the others need not look.
func TestOnlyTheHostThatPublishesLooks(t *testing.T) {
	p := newPool(t, Config{})
	p.joinAhead("a", 2, 0, 1000, 2, "host=laptop")
	p.joinAhead("b", 2, 0, 1000, 2)
	p.submitSpec("j", 0, publishes("laptop"))
	looks := map[string]bool{}
	for _, e := range p.settle() {
		if a, ok := e.(*subjects.Assigned); ok {
			looks[a.Host] = looks[a.Host] || a.Probe
		}
	}
	if !looks["a"] || looks["b"] || len(looks) != 2 {
		t.Errorf("hosts that look = %v, want a: true, b: false", looks)
	}
}

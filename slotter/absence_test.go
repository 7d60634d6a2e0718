package slotter

import (
	"slices"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/spec"
)

// tryEverywhere lets each attempt fail of a missing command, and returns the hosts in their order.
func (p *pool) tryEverywhere() (hosts []string) {
	for range 20 {
		p.settle()
		for _, h := range p.a.state.Hosts() {
			for _, at := range slices.Clone(h.Attempts()) {
				if at.State != 0 {
					continue
				}
				hosts = append(hosts, h.Name)
				p.say(&subjects.Failed{Host: h.Name, Job: at.Job.ID, Fact: fact(at), Reason: subjects.ReasonNotFound, Text: "command not found on this host"})
			}
		}
	}
	return hosts
}

func retried(st spec.Stage) spec.Stage {
	st.Retries = 3
	return st
}

func TestACommandThatIsNowhereIsTriedOnceOnEachHost(t *testing.T) {
	p := newPool(t, Config{})
	for _, name := range []string{"a", "b", "c"} {
		p.join(name, 1, 1000, 1)
	}
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{retried(tasks("one", 80))}})
	if got := p.tryEverywhere(); len(got) != 3 || len(slices.Compact(got)) != 3 {
		t.Errorf("it was tried on %v", got)
	}
	j := p.a.state.Job("j")
	if want := "the command of stage one was not found on any host that could run it (a, b, c): on host "; j.Code != subjects.ReasonNotFound || !strings.HasPrefix(j.Text, want) {
		t.Errorf("the job is %s: %s", j.Phase, j.Text)
	}
}

func TestAHostWithoutTheCommandIsLeftOut(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{retried(tasks("one", 80))}})
	p.settle()
	p.join("b", 1, 1000, 1)
	at := p.a.state.Host("a").Attempts()[0]
	p.say(&subjects.Failed{Host: "a", Job: "j", Fact: fact(at), Reason: subjects.ReasonNotFound})
	for range 5 {
		p.settle()
		if n := len(p.a.state.Host("a").Attempts()); n > 0 {
			t.Fatal("a has a task again")
		}
		p.say(done(p.a.state.Host("b").Attempts()[0], 1))
	}
	state, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(state); err != nil {
		t.Fatal(err)
	}
	if hosts := p.a.absent.of("j", 0); !slices.Equal(hosts, []string{"a"}) {
		t.Errorf("after a restart the command is absent on %v", hosts)
	}
	p.join("a", 1, 1000, 1) // it may have been installed meanwhile
	p.settle()
	if len(p.a.state.Host("a").Attempts()) == 0 {
		t.Error("the host that joined again has no task")
	}
}

// Where some tasks of a stage may fail, a command that is nowhere fails all of them, and with them the job.
func TestACommandThatIsNowhereEndsAJobThatBearsSomeFailures(t *testing.T) {
	for _, c := range []struct {
		outcome spec.Outcome
		ends    bool
	}{
		{spec.Outcome{MaxFailures: 4, KeepGoing: true}, true},
		{spec.Outcome{KeepGoing: true}, true},
		{spec.Outcome{MaxFailures: 80}, false},
		{spec.Outcome{AllowFailure: true}, false},
	} {
		p := newPool(t, Config{})
		p.join("a", 1, 1000, 1)
		st := retried(tasks("one", 80))
		st.Outcome = c.outcome
		p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{st}})
		tried := p.tryEverywhere()
		if j := p.a.state.Job("j"); (j.Code == subjects.ReasonNotFound && len(tried) == 1) != c.ends {
			t.Errorf("%+v: after %d attempts the job is %s: %s", c.outcome, len(tried), j.Phase, j.Text)
		}
	}
}

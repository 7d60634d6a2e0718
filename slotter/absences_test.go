package slotter

import (
	"slices"
	"strings"
	"testing"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// tryEverywhere fails each attempt with a missing command, and returns the hosts in their order.
func (p *pool) tryEverywhere() (hosts []string) {
	for range 20 {
		p.settle()
		for _, h := range p.a.facts.Ledger.Hosts() {
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
		t.Errorf("hosts that tried the command = %v, want three different ones", got)
	}
	j := p.a.facts.Ledger.Job("j")
	if want := "the command of stage one was not found on any host that could run it (a, b, c): on host "; j.Code != subjects.ReasonNotFound || !strings.HasPrefix(j.Text, want) {
		t.Errorf("the job is %s (%s): %q, want not found: %q", j.Phase, j.Code, j.Text, want)
	}
}

func TestAHostWithoutTheCommandIsLeftOut(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{retried(tasks("one", 80))}})
	p.settle()
	p.join("b", 1, 1000, 1)
	at := p.a.facts.Ledger.Host("a").Attempts()[0]
	p.say(&subjects.Failed{Host: "a", Job: "j", Fact: fact(at), Reason: subjects.ReasonNotFound})
	for range 5 {
		p.settle()
		if n := len(p.a.facts.Ledger.Host("a").Attempts()); n > 0 {
			t.Fatalf("tasks on a, which has no command, = %d, want 0", n)
		}
		p.say(done(p.a.facts.Ledger.Host("b").Attempts()[0], 1))
	}
	state, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.a.Restore(state); err != nil {
		t.Fatal(err)
	}
	if hosts := p.a.facts.Absent.Of("j", 0); !slices.Equal(hosts, []string{"a"}) {
		t.Errorf("Absent.Of(j) after a restart = %v, want [a]", hosts)
	}
	p.join("a", 1, 1000, 1) // it may have been installed meanwhile
	p.settle()
	if len(p.a.facts.Ledger.Host("a").Attempts()) == 0 {
		t.Error("tasks on a after it joined again = 0, want at least 1")
	}
}

// Some tasks of a stage, or the stage as a whole, may fail. A command that no host has is still
// tried once on each host.
func TestACommandThatIsNowhereIsTriedOnceWhereFailuresAreAllowed(t *testing.T) {
	for _, c := range []struct {
		outcome spec.Outcome
		phase   ledger.Phase
	}{
		{spec.Outcome{MaxFailures: 4, KeepGoing: true}, ledger.Failed},
		{spec.Outcome{KeepGoing: true}, ledger.Failed},
		{spec.Outcome{MaxFailures: 80}, ledger.Finished},
		{spec.Outcome{AllowFailure: true}, ledger.Finished},
	} {
		p := newPool(t, Config{})
		p.join("a", 1, 1000, 1)
		p.join("b", 1, 1000, 1)
		st := retried(tasks("one", 80))
		st.Outcome = c.outcome
		p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{st}})
		tried := p.tryEverywhere()
		if j := p.a.facts.Ledger.Job("j"); j.Phase != c.phase || len(tried) != 2 {
			t.Errorf("%+v: after %d attempts the job is %s: %s, want 2 and %s", c.outcome, len(tried), j.Phase, j.Text, c.phase)
		}
	}
}

// What runs because of a failure runs when the command of a stage is nowhere, and the job's end says why.
func TestAStageThatRunsOnFailureRunsWhenACommandIsNowhere(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 1000, 1)
	one, two := retried(tasks("one", 80)), tasks("two", 1)
	two.After, two.When = []uint32{0}, spec.WhenFailure
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{one, two}})
	p.settle()
	first := p.a.facts.Ledger.Host("a").Attempts()[0]
	p.say(&subjects.Failed{Host: "a", Job: "j", Fact: fact(first), Reason: subjects.ReasonNotFound})
	p.settle()
	running := p.a.facts.Ledger.Host("a").Attempts()
	if len(running) != 1 || running[0].Task.Stage != 1 {
		t.Fatalf("running after the first stage failed = %v, want one task of stage 1", running)
	}
	p.say(done(running[0], 1))
	p.settle()
	want := "the command of stage one was not found on any host that could run it (a): on host a, the command does not exist on the host"
	if j := p.a.facts.Ledger.Job("j"); j.Phase != ledger.Failed || j.Code != subjects.ReasonNotFound || j.Text != want || j.Totals.Attempts != 2 {
		t.Errorf("the job is %s after %d attempts: %q, want failed after 2: %q", j.Phase, j.Totals.Attempts, j.Text, want)
	}
}

// A service that cannot read that one stage has failed is not given it to read.
func TestAStageFailsByItsRetriesWhereAServiceIsOld(t *testing.T) {
	p := newPool(t, Config{})
	p.say(&subjects.Led{Actor: "admission", Partition: "all", Format: subjects.FormatStageFailed - 1})
	p.join("a", 1, 1000, 1)
	st := retried(tasks("one", 2))
	st.AllowFailure = true
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Stages: []spec.Stage{st}})
	tried := p.tryEverywhere()
	if j := p.a.facts.Ledger.Job("j"); j.Phase != ledger.Finished || len(tried) < 4 {
		t.Errorf("after %d attempts the job is %s: %s, want finished after at least 4", len(tried), j.Phase, j.Text)
	}
}

package slotter

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/profile"
	"lull/subjects/spec"
)

// steeredPool has three hosts of four idle cores, each of a tenant in a class of its own.
func steeredPool(t *testing.T, cfg Config) *pool {
	p := newPool(t, cfg)
	for _, host := range []string{"c", "p", "u"} {
		p.join(host, 4, 1<<30, 4)
	}
	p.pass(1)
	p.classify(1, "c", "p", "u")
	return p
}

// classify appends a generation that puts these hosts into classes: those named c into a constant
// one, p into a periodic one and u into an unpredictable one.
func (p *pool) classify(generation uint64, hosts ...string) {
	end := &subjects.PoolClassified{Generation: generation, Changed: uint32(len(hosts)), Named: 3}
	for _, host := range hosts {
		pattern := map[string]profile.Pattern{"c": profile.Constant, "p": profile.Periodic, "u": profile.Unpredictable}[host]
		class := fmt.Sprint(pattern, "-1")
		p.say(&subjects.Classified{Tenant: "host:" + host, Generation: generation, Class: class, Profile: profile.Profile{Pattern: pattern, Average: 0.1, Peak: 0.2}})
		end.Classes = append(end.Classes, subjects.TenantClass{Name: class, Pattern: pattern, Members: 1, Average: 0.1, Peak: 0.2})
	}
	p.say(end)
}

// steered are the words on classes among events.
func steered(events []subjects.Event) (of []*subjects.Steered) {
	for _, e := range events {
		if e, ok := e.(*subjects.Steered); ok {
			of = append(of, e)
		}
	}
	return of
}

// hostsOfJ are the hosts on which the attempts of job j are, sorted.
func (p *pool) hostsOfJ() (hosts []string) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job.ID == "j" {
				hosts = append(hosts, h.Name)
			}
		}
	}
	return slices.Compact(hosts)
}

// A host has the class of the tenant for which an operator lists it, not of the one that it names.
func TestAHostHasTheClassOfItsListedTenant(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	expect := func(when, want string) {
		t.Helper()
		if got := p.a.facts.Hosts.Of["u"].Class; got != want {
			t.Errorf("%s: class of u = %q, want %q", when, got, want)
		}
	}
	expect("without a list", "unpredictable-1")
	p.say(
		&subjects.Classified{Tenant: "shop", Generation: 2, Class: "periodic-1", Profile: profile.Profile{Pattern: profile.Periodic, Average: 0.1, Peak: 0.2}},
		&subjects.PoolClassified{Generation: 2, Changed: 1, Tenants: 4, Named: 3, Classes: p.a.facts.Ledger.Tenants.Last().Classes})
	p.say(&subjects.Owned{Tenants: []subjects.OwnedHosts{{Tenant: "shop", Hosts: []string{"u"}}}})
	expect("with a list", "periodic-1")
	p.say(&subjects.Owned{Tenants: []subjects.OwnedHosts{{Tenant: "mail", Hosts: []string{"u"}}}})
	expect("of a tenant that is not known", "")
	p.say(&subjects.Owned{})
	expect("after the list", "unpredictable-1")
}

func TestJobsRunOnTheHostsOfTheirClasses(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	p.submit("j", 0, tasks("only", 3))
	first := p.turn()
	said := steered(first)
	if len(said) != 1 || len(first) != 1 || said[0].Length != "medium" || said[0].Need != 3000 || len(said[0].Classes) != 3 {
		t.Fatalf("events before its first task = %+v, want it steered: medium, 3000 and three classes", first)
	}
	p.settle()
	class := p.a.facts.Ledger.Job("j").Steering.Classes
	if len(class) != 1 {
		t.Fatalf("classes of the job = %v, want one", class)
	}
	want := map[string]string{"constant-1": "c", "periodic-1": "p", "unpredictable-1": "u"}[class[0]]
	if got := p.hostsOfJ(); !slices.Equal(got, []string{want}) {
		t.Errorf("hosts of a job steered to %s = %v, want [%s]", class[0], got, want)
	}
	// One that no class has room for takes several; one larger than the pool runs everywhere.
	p.submit("wide", 0, tasks("only", 7))
	p.submit("huge", 0, tasks("only", 40))
	p.settle()
	if got := p.a.facts.Ledger.Job("wide").Steering.Classes; len(got) < 2 {
		t.Errorf("classes of a job of seven cores = %v, want at least two", got)
	}
	if got := p.a.facts.Ledger.Job("huge").Steering; got == nil || len(got.Classes) != 0 {
		t.Errorf("steering of a job larger than the pool = %+v, want no class", got)
	}
}

func TestWithoutClassesOrWishNothingIsSteered(t *testing.T) {
	for name, p := range map[string]*pool{"off": steeredPool(t, Config{}), "no classes": newPool(t, Config{Steer: SteerPaper})} {
		if name == "no classes" {
			p.join("c", 4, 1<<30, 4)
			p.pass(1)
		}
		p.submit("j", 0, tasks("only", 3))
		if events := p.settle(); len(steered(events)) > 0 || len(p.hostsOfJ()) == 0 {
			t.Errorf("%s: %v, want it running and not steered", name, events)
		}
	}
}

// TestLengthsFollowTheLastRun: most long jobs go to the constant class, most short ones to the
// unpredictable one.
func TestLengthsFollowTheLastRun(t *testing.T) {
	for _, c := range []struct {
		ran    time.Duration
		length string
		class  string
	}{{10 * time.Second, "short", "unpredictable-1"}, {time.Hour, "long", "constant-1"}} {
		p := steeredPool(t, Config{Steer: SteerPaper})
		p.submitSpec("first", 0, spec.Job{Name: "job", Type: "sort", Stages: []spec.Stage{tasks("only", 1)}})
		p.settle()
		for _, h := range p.a.facts.Ledger.Hosts() {
			for _, at := range slices.Clone(h.Attempts()) {
				p.say(&subjects.Started{Host: h.Name, Job: "first", Fact: fact(at)})
				p.now = p.now.Add(c.ran)
				p.say(done(at, c.ran.Seconds()))
			}
		}
		p.settle()
		p.pass(1)
		counts := map[string]int{}
		for i := range 60 {
			id := fmt.Sprint("j", i)
			p.submitSpec(id, 0, spec.Job{Name: "job", Type: "sort", Stages: []spec.Stage{tasks("only", 1)}})
			said := steered(p.decide())
			if len(said) != 1 || said[0].Length != c.length {
				t.Fatalf("steered after a run of %v = %+v, want once, as %s", c.ran, said, c.length)
			}
			for _, class := range said[0].Classes {
				if class.Picked {
					counts[class.Name]++
				}
			}
			p.say(&subjects.Cancelled{Job: id})
		}
		for class, n := range counts {
			if class != c.class && n >= counts[c.class] {
				t.Errorf("of 60 %s jobs %d went to %s and %d to %s, want most in the second", c.length, n, class, counts[c.class], c.class)
			}
		}
	}
}

// A job's length counts from its first task's start, also if that attempt was evicted.
func TestALengthCountsFromTheFirstStart(t *testing.T) {
	p := newPool(t, Config{Steer: SteerPaper})
	p.join("c", 1, 1<<30, 1)
	p.pass(1)
	p.submit("first", 0, tasks("only", 1))
	for i, ran := range []time.Duration{100 * time.Second, 20 * time.Second} {
		p.settle()
		at := p.a.facts.Ledger.Host("c").Attempts()[0]
		p.say(&subjects.Started{Host: "c", Job: "first", Fact: fact(at)})
		p.now = p.now.Add(ran)
		if i == 0 {
			p.say(&subjects.Evicted{Host: "c", Job: "first", Fact: fact(at)})
			p.pass(1)
		} else {
			p.say(done(at, ran.Seconds()))
		}
	}
	p.settle()
	if got := p.a.steerer.Save().Last[0]; got < 120 || got > 125 {
		t.Errorf("the job's last run took %v s, want about 121 s", got)
	}
}

func TestAJobWhoseClassVanishedIsSteeredAnew(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	p.submit("j", 0, tasks("only", 2))
	p.turn() // steered, nothing assigned yet
	was := p.a.facts.Ledger.Job("j").Steering.Classes
	for _, h := range p.a.facts.Ledger.Hosts() {
		if p.a.facts.Hosts.Of[h.Name].Class == was[0] {
			p.say(&subjects.Drained{Host: h.Name})
		}
	}
	said := steered(p.settle())
	if len(said) != 1 || said[0].Anew != subjects.SteeredVanished {
		t.Fatalf("steered when its only host drains = %+v, want once, as vanished", said)
	}
	if now := p.a.facts.Ledger.Job("j").Steering.Classes; len(now) == 0 || slices.Equal(now, was) || len(p.hostsOfJ()) == 0 {
		t.Errorf("classes = %v, before %v, want others, and it running", now, was)
	}
}

func TestAStarvedJobIsSteeredAnew(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	p.submit("j", 0, tasks("only", 2))
	p.turn()
	was := p.a.facts.Ledger.Job("j").Steering.Classes[0]
	for name, h := range p.a.facts.Hosts.Of { // its class is busy from now on
		if h.Class == was {
			p.use(name, 0)
		}
	}
	if events := p.settle(); len(events) > 0 {
		t.Fatalf("events = %v, want no task given to other classes", events)
	}
	p.pass(301)
	if said := steered(p.settle()); len(said) != 1 || said[0].Anew != subjects.SteeredStarved || len(p.hostsOfJ()) == 0 {
		t.Errorf("steered after five minutes = %+v, on %v, want once, as starved, and it running", said, p.hostsOfJ())
	}
}

// TestDangerPassesTheFence: a job that would be late may run anywhere.
func TestDangerPassesTheFence(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	p.submit("j", time.Hour, tasks("only", 2))
	p.turn()
	was := p.a.facts.Ledger.Job("j").Steering.Classes[0]
	for name, h := range p.a.facts.Hosts.Of {
		if h.Class == was {
			p.use(name, 0)
		}
	}
	p.say(&subjects.Endangered{Job: "j", Slack: -5})
	if p.settle(); len(p.hostsOfJ()) == 0 {
		t.Error("hosts of an endangered job = none, want some of any class")
	}
}

// TestASnapshotKeepsSteering: an actor that was restored decides as the one that was saved.
func TestASnapshotKeepsSteering(t *testing.T) {
	p := steeredPool(t, Config{Steer: SteerPaper})
	p.submitSpec("first", 0, spec.Job{Name: "job", Type: "sort", Stages: []spec.Stage{tasks("only", 1)}})
	p.settle()
	p.finish()
	p.settle()
	p.submit("j", 0, tasks("only", 2))
	p.turn()
	body, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	want := p.a.facts.Ledger.Job("j").Steering
	restored, err := New(Config{Steer: SteerPaper})
	if err != nil {
		t.Fatal(err)
	}
	if err := restored.Restore(body); err != nil {
		t.Fatal(err)
	}
	got := restored.facts.Ledger.Job("j").Steering
	if got == nil || !slices.Equal(got.Classes, want.Classes) || got.Need != want.Need || !slices.Equal(restored.steerer.Save().Last, p.a.steerer.Save().Last) {
		t.Errorf("restored: %+v, %v; want %+v, %v", got, restored.steerer.Save(), want, p.a.steerer.Save())
	}
	for name, h := range p.a.facts.Hosts.Of {
		if class := restored.facts.Hosts.Of[name].Class; class != h.Class {
			t.Errorf("host %s is of class %q, want %q", name, class, h.Class)
		}
	}
}

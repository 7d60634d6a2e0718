package slotter

import (
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// placedPool has a network, a placer that leads, and hosts of two idle cores.
func placedPool(t *testing.T, cfg Config, hosts ...string) *pool {
	p := newPool(t, cfg)
	link := subjects.WiredLink{Name: "r1", Up: 1e6, Down: 1e6}
	p.say(&subjects.Wired{Racks: []subjects.WiredRack{{WiredLink: link}}}, &subjects.Led{Actor: "placer", Partition: "all", Format: subjects.Format})
	for _, host := range hosts {
		p.join(host, 2, 1<<30, 2)
	}
	p.pass(1)
	return p
}

// shuffles submits a job of so many maps, and a reduce that reads them.
func (p *pool) shuffles(id string, maps uint32, deadline time.Duration) {
	reduce := tasks("reduce", 1)
	reduce.From = []spec.From{{Partition: true}}
	first := tasks("map", maps)
	first.Partitions = 1
	p.submit(id, deadline, first, reduce)
}

func (p *pool) place(job string, hosts ...string) { p.placeSaving(job, 0, hosts...) }

// placeSaving places a job on hosts that are predicted to save it some seconds, 0 for unknown.
func (p *pool) placeSaving(job string, saves float64, hosts ...string) {
	e := &subjects.Placed{Job: job, Known: p.a.facts.Ledger.Seq, Objective: "fast", Seconds: 100}
	if saves != 0 {
		e.Baselines = []subjects.PlacedBy{{Policy: "RR-R", Seconds: 500}, {Policy: subjects.PlacedAnywhere, Seconds: 100 + saves}}
	}
	for _, host := range hosts {
		e.Hosts = append(e.Hosts, subjects.PlacedHost{Host: host, Slots: 2})
	}
	p.say(e)
}

// hostsOf are the hosts on which the attempts of a job are, sorted.
func (p *pool) hostsOf(job string) (hosts []string) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		if slices.ContainsFunc(h.Attempts(), func(at *ledger.Attempt) bool { return at.Job.ID == job }) {
			hosts = append(hosts, h.Name)
		}
	}
	return hosts
}

func rules(events []subjects.Event) (all []string) {
	for _, e := range events {
		if e, ok := e.(*subjects.Assigned); ok && !slices.Contains(all, e.Why.Rule) {
			all = append(all, e.Why.Rule)
		}
	}
	return all
}

func TestAJobRunsWhereItIsPlaced(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b", "c", "d")
	p.shuffles("j", 8, 0)
	if events := p.settle(); len(events) > 0 {
		t.Fatalf("events before the placer's decision = %s, want none", describe(events))
	}
	p.place("j", "b", "d")
	p.settle()
	if got := p.hostsOf("j"); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("hosts of j = %v, want [b d]", got)
	}
	p.submit("other", 0, tasks("one", 2)) // what is not placed takes the rest
	p.settle()
	if got := p.hostsOf("other"); len(got) == 0 || slices.Contains(got, "b") {
		t.Errorf("hosts of other, which is not placed, = %v, want some without b", got)
	}
}

func TestTheWaitForThePlacerEnds(t *testing.T) {
	p := placedPool(t, Config{}, "a")
	p.shuffles("j", 2, 0)
	p.settle()
	p.pass(1)
	if events := p.settle(); len(events) > 0 {
		t.Fatalf("events after a second = %s, want none", describe(events))
	}
	p.pass(1)
	if p.settle(); len(p.hostsOf("j")) == 0 {
		t.Fatal("hosts of j after two seconds = none, want some")
	}
	// A placer that did not answer is not waited for again until it says something, or for a minute.
	p.finish()
	p.settle()
	p.finish()
	p.settle()
	p.shuffles("k", 1, 0)
	if p.settle(); len(p.hostsOf("k")) == 0 {
		t.Error("hosts of k = none, want some without waiting for a placer that does not answer")
	}
	p.say(&subjects.Led{Actor: "placer", Partition: "all", Instance: "again", Format: subjects.Format})
	p.shuffles("l", 1, 0)
	if p.settle(); len(p.hostsOf("l")) > 0 {
		t.Errorf("hosts of l = %v, want none until the new placer decides", p.hostsOf("l"))
	}
	p.place("l") // on no host: anywhere
	if p.settle(); len(p.hostsOf("l")) == 0 {
		t.Error("hosts of l, which need not be placed, = none, want some")
	}
}

func TestAPlacerThatWasSlowOnceIsAskedAgain(t *testing.T) {
	p := placedPool(t, Config{}, "a")
	p.shuffles("j", 1, 0)
	p.settle()
	p.pass(2)
	p.settle()
	p.finish()
	p.settle()
	p.finish()
	p.pass(60)
	p.shuffles("k", 1, 0)
	if p.settle(); len(p.hostsOf("k")) > 0 {
		t.Errorf("hosts of k = %v, want none: a minute later a job waits for the placer again", p.hostsOf("k"))
	}
}

func TestNothingWaitsForThePlacerWithoutReason(t *testing.T) {
	for name, p := range map[string]*pool{"never": placedPool(t, Config{AwaitPlacer: -1}, "a"), "no network": placedPool(t, Config{}, "a"), "off": placedPool(t, Config{}, "a")} {
		if name == "no network" {
			p.say(&subjects.Wired{})
		}
		if name == "off" {
			reduce := tasks("reduce", 1)
			reduce.From = []spec.From{{}}
			p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Place: spec.PlaceOff, Stages: []spec.Stage{tasks("map", 1), reduce}})
		} else {
			p.shuffles("j", 1, 0)
		}
		if p.settle(); len(p.hostsOf("j")) == 0 {
			t.Errorf("%s: hosts of j = none, want some", name)
		}
	}
}

func TestAJobGoesBeyondItsHosts(t *testing.T) {
	for name, c := range map[string]struct {
		happens func(p *pool)
		saves   float64
		seconds int
		beyond  bool
	}{
		"nothing happens":                {func(*pool) {}, 0, 1, false},
		"danger":                         {func(p *pool) { p.say(&subjects.Endangered{Job: "j", Slack: -5}) }, 0, 1, true},
		"half gone":                      {func(p *pool) { p.say(&subjects.Drained{Host: "a"}) }, 0, 1, true},
		"less than a minute without":     {func(*pool) {}, 0, 58, false},
		"a minute without":               {func(*pool) {}, 0, 61, true},
		"less than its hosts save it":    {func(*pool) {}, 20, 18, false},
		"as long as its hosts save it":   {func(*pool) {}, 20, 21, true},
		"a minute, if they save more":    {func(*pool) {}, 500, 61, true},
		"a minute, if they save nothing": {func(*pool) {}, -20, 58, false},
	} {
		p := placedPool(t, Config{}, "a", "b", "c")
		p.shuffles("j", 4, time.Hour)
		p.placeSaving("j", c.saves, "a", "b")
		p.use("a", 0)
		p.use("b", 0)
		if events := p.settle(); len(rules(events)) > 0 {
			t.Fatalf("%s: events while its hosts are busy = %s, want none", name, describe(events))
		}
		c.happens(p)
		for range c.seconds {
			p.pass(1)
			p.use("a", 0)
			p.use("b", 0)
		}
		got := rules(p.settle())
		if on := p.hostsOf("j"); c.beyond != slices.Contains(on, "c") {
			t.Errorf("%s: hosts of j = %v, want c among them: %v", name, on, c.beyond)
		}
		if c.beyond && len(got) > 0 && !slices.Equal(got, []string{subjects.RuleBeyond}) {
			t.Errorf("%s: rules = %v, want beyond", name, got)
		}
		if c.beyond != p.a.facts.Ledger.Job("j").Placement.Beyond {
			t.Errorf("%s: placement = %+v, want beyond %v", name, p.a.facts.Ledger.Job("j").Placement, c.beyond)
		}
	}
}

// While the pool is paused, no job waits for a slot of its hosts.
func TestAPauseIsNoWait(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b")
	p.shuffles("j", 2, time.Hour)
	p.place("j", "b")
	p.use("b", 0)
	p.settle()
	p.say(&subjects.PoolPaused{})
	for range 70 {
		p.pass(1)
		p.use("b", 0)
		p.decide()
	}
	p.say(&subjects.PoolResumed{})
	if events := p.settle(); len(rules(events)) > 0 {
		t.Errorf("events after a pause of 70 s = %s, want no task given to other hosts", describe(events))
	}
}

// A job whose own tasks hold all of its slots waits for nobody.
func TestWavesAreNoWait(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b", "c", "d")
	p.shuffles("j", 8, 0)
	p.placeSaving("j", 20, "b", "d")
	for range 70 {
		p.settle()
		p.pass(1)
	}
	if got := p.hostsOf("j"); !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("hosts of j 70 s later = %v, want [b d]", got)
	}
}

// While the stage before runs, a job waits for no slot.
func TestAStageThatRunsLongIsNoWait(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b")
	p.shuffles("j", 1, 0)
	p.place("j", "b")
	p.settle()
	for range 70 {
		p.pass(1)
		p.settle()
	}
	p.use("b", 0)
	p.finish()
	if events := p.settle(); len(rules(events)) > 0 {
		t.Errorf("events when its reduce became ready = %s, want no task given to other hosts", describe(events))
	}
}

// The task that publishes runs where the output is.
func TestPublishingIsNotPlaced(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b", "c")
	reduce := tasks("reduce", 1)
	reduce.From = []spec.From{{}}
	publish := tasks(spec.PublishName, 1)
	publish.Publish, publish.Argv, publish.From = true, nil, []spec.From{{Stage: 1}}
	p.submitSpec("j", 0, spec.Job{Name: "j", Type: "j", Output: "/out", Stages: []spec.Stage{tasks("map", 1), reduce, publish}})
	p.place("j", "b")
	p.use("b", 2)
	p.settle()
	p.finish()
	p.settle()
	p.finish()
	p.use("b", 0)
	events := p.settle()
	if got := rules(events); len(got) != 1 || got[0] == subjects.RuleBeyond {
		t.Errorf("events of publishing while its hosts are busy = %s, want one assignment by another rule than beyond", describe(events))
	}
}

func TestASnapshotKeepsPlacements(t *testing.T) {
	p := placedPool(t, Config{}, "a", "b")
	p.shuffles("j", 4, 0)
	p.place("j", "b")
	p.restart()
	p.pass(1)
	if p.settle(); !slices.Equal(p.hostsOf("j"), []string{"b"}) {
		t.Errorf("hosts of j after Restore = %v, want [b]", p.hostsOf("j"))
	}
}

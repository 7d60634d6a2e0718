package ledger

import (
	"fmt"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// placedPool is a log of a pool with a network, hosts and jobs that shuffle.
type placedPool struct {
	t *testing.T
	s *State
}

func newPlacedPool(t *testing.T, hosts ...string) *placedPool {
	p := &placedPool{t, New()}
	p.must(&subjects.Wired{Racks: []subjects.WiredRack{{WiredLink: subjects.WiredLink{Name: "r1", Up: 1e6, Down: 1e6}}}})
	for _, host := range hosts {
		p.must(&subjects.Joined{Host: host, Cores: 2, Slots: 2, Memory: 1 << 30, Labels: []string{"rack=r1"}})
	}
	return p
}

func (p *placedPool) apply(e subjects.Event) Verdict {
	return p.s.Apply(p.s.Seq+1, time.Unix(int64(p.s.Seq), 0), e).Verdict
}

func (p *placedPool) must(e subjects.Event) uint64 {
	p.t.Helper()
	if v := p.apply(e); v.Outcome == Void {
		p.t.Fatalf("Apply(%T) is void: %s, want it accepted", e, v.Why)
	}
	return p.s.Seq
}

func (p *placedPool) void(why string, e subjects.Event) {
	p.t.Helper()
	if v := p.apply(e); v.Outcome != Void {
		p.t.Errorf("Apply(%T) with %s = %+v, want void", e, why, v)
	}
}

// shuffle submits and admits a job of a map and a reduce.
func (p *placedPool) shuffle(id string) {
	stage := func(name string, from ...spec.From) spec.Stage {
		return spec.Stage{Name: name, Argv: []string{"x"}, Tasks: 1, CPU: 1, Memory: 1, From: from}
	}
	p.must(&subjects.Submitted{Job: id, Spec: spec.Job{Name: id, Type: "sort", Stages: []spec.Stage{stage("map"), stage("reduce", spec.From{})}}})
	p.must(&subjects.Admitted{Job: id})
}

func (p *placedPool) placed(job string, seconds float64, hosts ...string) *subjects.Placed {
	e := &subjects.Placed{Job: job, Seconds: seconds, Known: p.s.Seq}
	for _, host := range hosts {
		e.Hosts = append(e.Hosts, subjects.PlacedHost{Host: host, Slots: 1})
	}
	return e
}

// run runs a stage's task on a host.
func (p *placedPool) run(job string, stage uint32, host string) {
	at := p.assign(job, stage, host)
	p.must(&subjects.Finished{Host: host, Job: job, Fact: subjects.Fact{TaskID: subjects.TaskID{Stage: stage}, Term: p.s.Host(host).Term, Attempt: at}})
}

func (p *placedPool) assign(job string, stage uint32, host string) uint64 {
	return p.must(&subjects.Assigned{Host: host, Job: job, TaskID: subjects.TaskID{Stage: stage}, Term: p.s.Host(host).Term, Width: 1})
}

func TestAPlacementCounts(t *testing.T) {
	p := newPlacedPool(t, "a", "b", "c")
	p.shuffle("j")
	early := p.placed("j", 9, "c")
	p.must(p.placed("j", 10, "a", "b"))
	if got := p.s.Job("j").Placement; !got.Has("a") || got.Has("c") {
		t.Fatalf("Placement of j = %+v, want a and not c", got.Hosts)
	}
	p.void("it is older than the last word", early)
	p.void("no host is gone", p.placed("j", 10, "c"))
	p.assign("j", 0, "a")
	p.void("after the first task", p.placed("j", 10, "c"))
	p.must(&subjects.Drained{Host: "b"})
	p.must(p.placed("j", 10, "a", "c"))
	if got := p.s.Job("j").Placement; !got.Has("c") || !got.Again || got.Began == 0 {
		t.Errorf("Placement of j, placed again, = %+v, want c, and when it began", got)
	}
}

func TestWordsOnPlacesThatAreVoid(t *testing.T) {
	p := newPlacedPool(t, "a", "b")
	p.shuffle("j")
	p.void("an unknown host", p.placed("j", 1, "nowhere"))
	p.void("hosts out of order", p.placed("j", 1, "b", "a"))
	p.void("a host twice", p.placed("j", 1, "a", "a"))
	p.void("an unknown job", p.placed("k", 1, "a"))
	ahead := p.placed("j", 1, "a")
	ahead.Known += 10
	p.void("it knows the future", ahead)
	wide := p.placed("j", 1, "a")
	wide.Hosts[0].Slots = 3
	p.void("more slots than there are", wide)
	p.assign("j", 0, "a")
	p.void("after the first task", p.placed("j", 1, "a"))
	p.shuffle("k")
	p.must(&subjects.Wired{})
	p.void("no topology", p.placed("k", 1, "a"))
	p.void("no topology to remove", &subjects.Wired{})
}

func TestNetworksThatAreVoid(t *testing.T) {
	p := newPlacedPool(t)
	link := func(name string, rate float64) subjects.WiredLink {
		return subjects.WiredLink{Name: name, Up: rate, Down: rate}
	}
	rack := func(name string, rate float64, above string) subjects.WiredRack {
		return subjects.WiredRack{WiredLink: link(name, rate), Above: above}
	}
	p.void("a rack twice", &subjects.Wired{Racks: []subjects.WiredRack{rack("a", 1, ""), rack("a", 1, "")}})
	p.void("a rate of 0", &subjects.Wired{Racks: []subjects.WiredRack{rack("a", 0, "")}})
	p.void("an unknown switch", &subjects.Wired{Racks: []subjects.WiredRack{rack("a", 1, "s")}})
	if p.s.Network == nil || p.s.Network.Racks[0].Name != "r1" {
		t.Errorf("Network = %+v after a void event, want rack r1 as before", p.s.Network)
	}
}

// TestATypeIsJudgedByItsRuns: three misses in a row, and its jobs are placed no more until one fits.
func TestATypeIsJudgedByItsRuns(t *testing.T) {
	p := newPlacedPool(t, "a")
	runs := 0
	ran := func(predicted float64) *Accuracy {
		runs++
		id := fmt.Sprint("j", runs)
		p.shuffle(id)
		p.must(p.placed(id, predicted, "a"))
		p.run(id, 0, "a")
		p.run(id, 1, "a")
		p.must(&subjects.JobFinished{Job: id})
		return p.s.Accuracies.Of("sort")
	}
	// A second passes with each entry: a run takes three.
	for _, c := range []struct {
		predicted float64
		fits      bool
	}{{3, true}, {30, true}, {30, true}, {30, false}, {1, false}, {3.5, true}} {
		if got := ran(c.predicted); got.Fits() != c.fits || got.True != 3 || got.Predicted != c.predicted {
			t.Errorf("Accuracy after a job of 3 s with %g s predicted = %+v, want fits %v", c.predicted, got, c.fits)
		}
	}
	b, err := p.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := New()
	if err := again.Restore(b); err != nil || *again.Accuracies.Of("sort") != *p.s.Accuracies.Of("sort") || again.Network == nil {
		t.Errorf("Restore = %v, accuracy %+v, want %+v and a network", err, again.Accuracies.Of("sort"), p.s.Accuracies.Of("sort"))
	}
}

func TestASnapshotKeepsPlacements(t *testing.T) {
	p := newPlacedPool(t, "a", "b")
	p.shuffle("j")
	p.must(p.placed("j", 10, "b"))
	p.assign("j", 0, "b")
	b, err := p.s.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	again := New()
	if err := again.Restore(b); err != nil {
		t.Fatal(err)
	}
	got := again.Job("j").Placement
	if got == nil || got.Job != "j" || !got.Has("b") || got.Has("a") || got.Began != p.s.Job("j").Placement.Began {
		t.Errorf("Placement of j after Restore = %+v, want b and not a, begun when it was", got)
	}
}

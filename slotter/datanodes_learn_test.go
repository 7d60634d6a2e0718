package slotter

import (
	"math"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// Tasks with a larger share of the work than their model knows are slow. The more of them run, the
// more they seem to load their data node. But they compute all the time: nothing makes them wait.
func TestTasksThatComputeDoNotWaitForADataNode(t *testing.T) {
	for _, c := range []struct {
		cpu     float64
		limited bool
	}{{30, false}, {10, true}} {
		p := newPool(t, Config{})
		p.say(reader("scan", 50*megabyte))
		p.submit("scan", 0, readers(1000, "nfs:filer"))
		p.join("a", 10, 1000, 10)
		limited := false
		for range 10 {
			p.settle()
			p.pass(30)
			p.use("a", 10)
			p.beat("a")
			for _, at := range slices.Clone(p.a.facts.Ledger.Host("a").Attempts()) {
				end := done(at, 30) // three times as long as predicted
				end.CPU = c.cpu
				p.say(end)
			}
			_ = p.a.models.Load(nil, nil)
			limited = limited || p.a.facts.DataNodes.Limited()
		}
		if limited != c.limited {
			t.Errorf("tasks that use %v s of CPU in 30 s limit their data node = %v, want %v", c.cpu, limited, c.limited)
		}
	}
}

// The tasks of a later stage read copies on their own hosts. When they are slow, the hosts that kept the originals are
// not to blame: a limit on these would have the tasks run one after the other.
func TestSlowReducesLimitNoAgent(t *testing.T) {
	p := newPool(t, Config{})
	p.say(reader("j:reduce", 50*megabyte))
	reduce := tasks("reduce", 40)
	reduce.From = []spec.From{{Stage: 0}}
	p.join("a", 5, 1000, 5)
	p.join("b", 5, 1000, 5)
	p.submit("j", 0, tasks("map", 10), reduce)
	p.settle()
	p.finish()
	for range 4 {
		p.settle()
		if n := p.running("j"); n != 10 {
			t.Fatalf("reduces that run = %d, want 10", n)
		}
		for range 40 {
			p.pass(1)
		}
		for _, host := range []string{"a", "b"} {
			for _, at := range slices.Clone(p.a.facts.Ledger.Host(host).Attempts()) {
				end := done(at, 40) // four times as long as predicted
				end.CPU = 1
				p.say(end)
			}
		}
		_ = p.a.models.Load(nil, nil)
		if p.a.facts.DataNodes.Limited() {
			t.Fatal("Limited() = true of agents, want false")
		}
	}
}

// wave runs readers to their end on a node that gives at most capacity, and
// returns how many there were.
func (p *pool) wave(capacity float64) (n int) {
	p.settle()
	n = p.running("scan")
	seconds := 10 * math.Max(1, float64(n)*50*megabyte/capacity)
	for range int(seconds) { // hosts keep beating
		p.pass(1)
	}
	p.now = p.now.Add(time.Duration((seconds - math.Floor(seconds)) * 1e9))
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range append(h.Attempts()[:0:0], h.Attempts()...) {
			end := done(at, seconds)
			end.CPU = 10 // the rest it waits
			p.say(end)
		}
	}
	return n
}

// The whole way: events in, assignments out, over a snapshot.
func TestAnOverloadedFilerIsFoundOutAndForgiven(t *testing.T) {
	p := newPool(t, Config{})
	p.say(reader("scan", 50*megabyte))
	p.submit("scan", 0, readers(100_000, "nfs:filer"))
	p.join("a", 10, 1000, 10)
	if n := p.wave(200 * megabyte); n != 10 {
		t.Fatalf("readers before anything is known = %d, want 10", n)
	}
	for range 20 {
		_ = p.a.models.Load(nil, nil) // the model stays: only the node is to be learnt about
		p.wave(200 * megabyte)
	}
	if n := p.wave(200 * megabyte); n < 3 || n > 6 {
		t.Errorf("readers of a filer that can serve 4 = %d, want 3 to 6", n)
	}
	told := ask[subjects.DataNodesAnswer](t, p, subjects.AskDataNodes, &subjects.DataNodesAsk{})
	if len(told.Nodes) != 1 || !told.Nodes[0].Learnt {
		t.Errorf("DataNodes() = %+v, want one, learnt", told.Nodes)
	}
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	knew := p.a.facts.DataNodes.Get("nfs:filer").Capacity()
	if err := p.a.Restore(b); err != nil || p.a.facts.DataNodes.Get("nfs:filer").Capacity() != knew || !p.a.facts.DataNodes.Limited() {
		t.Fatalf("after Restore: %+v, %v, want capacity %v", p.a.facts.DataNodes.Get("nfs:filer"), err, knew)
	}
	p.beat("a")
	p.use("a", 10)
	for range 100 {
		_ = p.a.models.Load(nil, nil)
		p.wave(2000 * megabyte)
	}
	if n := p.wave(2000 * megabyte); n != 10 {
		t.Errorf("readers after it was repaired = %d, want 10", n)
	}
}

package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/slotter/datanode"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

const megabyte = 1e6

// readers is a stage of n tasks that read from data nodes.
func readers(n uint32, nodes ...string) spec.Stage {
	st := tasks("read", n)
	st.Sources = nodes
	return st
}

// reader is the model of tasks that take ten seconds anywhere and read so much
// a second.
func reader(name string, rate float64) *subjects.Fitted {
	return &subjects.Fitted{Type: name, A: 10, Low: 0.05, High: 1, Samples: 1e6, Read90: rate}
}

func filer(rate float64) Config {
	return Config{DataNodes: []datanode.Config{{Name: "nfs:filer", Capacity: rate}}}
}

// running counts the attempts of a job.
func (p *pool) running(job string) (n int) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job.ID == job {
				n++
			}
		}
	}
	return n
}

func (p *pool) load(name string) (load int64, readers int) {
	p.decide()
	n := p.a.facts.DataNodes.Get(name)
	return n.Load(), n.Readers()
}

func TestTheFourthSlotGoesToAJobThatReadsNothing(t *testing.T) {
	p := newPool(t, filer(200*megabyte))
	p.say(reader("scan", 60*megabyte))
	p.submit("scan", time.Hour, readers(20, "nfs:filer"))
	p.submit("count", 2*time.Hour, tasks("count", 20))
	p.join("a", 8, 100, 8)
	p.settle()
	if scan, count := p.running("scan"), p.running("count"); scan != 3 || count != 5 {
		t.Errorf("%d readers and %d others run, want 3 and 5", scan, count)
	}
	p.finish()
	p.settle()
	if scan := p.running("scan"); scan != 3 {
		t.Errorf("then %d readers, want 3", scan)
	}
}

// The load is what eq. 5 says of the attempts that run, shared evenly among the
// nodes, and goes with them.
func TestLoadFollowsTheAttempts(t *testing.T) {
	p := newPool(t, Config{Policy: "mp"})
	p.say(&subjects.Fitted{Type: "scan", A: 40, B: -1.386294, Low: 0.05, High: 1, Samples: 1e6, Read90: 80 * megabyte}) // half as fast at half a core
	p.submit("scan", 0, readers(4, "nfs:a", "nfs:b"))
	p.join("a", 4, 100, 2)
	p.settle()
	load, n := p.load("nfs:a")
	if want := 4 * 80e6 / 2 / 2; math.Abs(float64(load)-want) > 0.01*want || n != 4 {
		t.Errorf("%d bytes/s for %d readers, want %.0f for 4", load, n, want)
	}
	p.finish()
	if load, n := p.load("nfs:b"); load != 0 || n != 0 {
		t.Errorf("load of nfs:b when all is done = %d bytes/s for %d readers, want 0, 0", load, n)
	}
}

func TestOneTaskMayAlwaysRead(t *testing.T) {
	p := newPool(t, filer(1))
	p.say(reader("scan", 60*megabyte))
	p.submit("scan", 0, readers(3, "nfs:filer"))
	p.join("a", 3, 100, 3)
	for range 3 {
		p.settle()
		if n := p.running("scan"); n != 1 {
			t.Fatalf("%d readers run, want 1", n)
		}
		p.finish()
	}
	if phase := p.a.facts.Ledger.Job("scan").Phase; p.settle() == nil && phase != ledger.Finished {
		t.Errorf("the job is %s, want finished", phase)
	}
}

// A rate that was not measured counts as the input over the predicted time.
func TestUnmeasuredTasksReadTheirInput(t *testing.T) {
	p := newPool(t, Config{})
	st := readers(1, "nfs:filer")
	st.Bytes = 500 * megabyte
	p.submit("scan", 0, st)
	p.join("a", 1, 100, 1)
	p.settle()
	if load, _ := p.load("nfs:filer"); load != 50*megabyte {
		t.Errorf("%d bytes/s, want 500 MB in 10 s", load)
	}
}

func TestLaterStagesReadFromAgents(t *testing.T) {
	p := newPool(t, Config{})
	p.say(reader("j:reduce", 30*megabyte))
	reduce := tasks("reduce", 1)
	reduce.From = []spec.From{{Stage: 0}}
	p.join("a", 1, 10, 1)
	p.join("b", 1, 10, 1)
	p.submit("j", 0, tasks("map", 2), reduce)
	p.settle()
	p.finish()
	p.settle()
	for _, name := range []string{"agent:a", "agent:b"} {
		if load, n := p.load(name); load != 15*megabyte || n != 1 {
			t.Errorf("load of %s = %d bytes/s for %d readers, want %v for 1", name, load, n, 15*megabyte)
		}
	}
}

func TestDataNodesAreSentOnRequest(t *testing.T) {
	p := newPool(t, filer(200*megabyte))
	p.say(reader("scan", 60*megabyte))
	p.submit("scan", 0, readers(9, "nfs:filer", "nfs:other"))
	p.join("a", 8, 100, 8)
	p.settle()
	running := p.running("scan")
	all := ask[subjects.DataNodesAnswer](t, p, subjects.AskDataNodes, &subjects.DataNodesAsk{})
	want := []subjects.DataNode{
		{Name: "nfs:filer", Load: float64(running) * 30 * megabyte, Readers: uint32(running), Capacity: 200 * megabyte},
		{Name: "nfs:other", Load: float64(running) * 30 * megabyte, Readers: uint32(running)},
	}
	if !slices.Equal(all.Nodes, want) {
		t.Errorf("DataNodes() = %+v, want %+v", all.Nodes, want)
	}
	mine := ask[subjects.DataNodesAnswer](t, p, subjects.AskDataNodes, &subjects.DataNodesAsk{Job: "scan"})
	if len(mine.Nodes) != 2 || !mine.Nodes[0].Overloaded || mine.Nodes[1].Overloaded {
		t.Errorf("DataNodes(scan) = %+v, want two, the first of which waits", mine.Nodes)
	}
	if none := ask[subjects.DataNodesAnswer](t, p, subjects.AskDataNodes, &subjects.DataNodesAsk{Job: "unknown"}); len(none.Nodes) > 0 {
		t.Errorf("DataNodes(unknown) = %+v, want none", none.Nodes)
	}
}

func TestDataNodesOfTheConfigurationAreChecked(t *testing.T) {
	for _, bad := range [][]datanode.Config{
		{{Name: "a b", Capacity: 1}},
		{{Name: "", Capacity: 1}},
		{{Name: "a", Capacity: 0}},
		{{Name: "a", Capacity: -1}},
		{{Name: "a", Capacity: math.NaN()}},
		{{Name: "a", Capacity: math.Inf(1)}},
		{{Name: "a", Capacity: 1}, {Name: "a", Capacity: 2}},
	} {
		if _, err := New(Config{DataNodes: bad}); err == nil {
			t.Errorf("New(DataNodes: %+v) = nil error, want an error", bad)
		}
	}
}

// Loads are running sums. However attempts come and go, they equal a sum over all attempts, and no
// number makes them negative.
func TestLoadsStaySums(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		p := newPool(t, filer(100*megabyte))
		for i := range 3 {
			rate := []float64{math.MaxFloat64, 50 * megabyte, 1e-300}[i]
			p.say(reader(fmt.Sprint("type-", i), rate))
			st := readers(100, [][]string{{"nfs:filer"}, {"nfs:filer", "nfs:x"}, {"nfs:x"}}[i]...)
			st.Bytes, st.Retries = int64(rng.Uint64N(1<<60)), 1000
			p.submitSpec(fmt.Sprint("job-", i), 0, spec.Job{Name: "job", Type: fmt.Sprint("type-", i), Stages: []spec.Stage{st}})
		}
		p.join("a", 4, 100, 3)
		p.joinAhead("b", 2, 4, 100, 1)
		for range 30 {
			p.turn()
			p.live(rng)
			p.now = p.now.Add(time.Duration(rng.IntN(5000)) * time.Millisecond)
			p.decide()
			checkLoads(t, p.a, seed)
		}
	}
}

func checkLoads(t *testing.T, a *Actor, seed uint64) {
	t.Helper()
	loads, readers := map[*datanode.Node]int64{}, map[*datanode.Node]int{}
	for _, h := range a.facts.Hosts.ByName {
		for _, r := range a.tracker.ReadersOf(h, nil) {
			for _, n := range r.Reading.Nodes() {
				loads[n] += r.Rate
				readers[n]++
			}
		}
	}
	for _, n := range a.facts.DataNodes.All() {
		if n.Load() != loads[n] || n.Readers() != readers[n] || n.Load() < 0 {
			t.Fatalf("seed %d: %s carries %d bytes/s for %d readers, want %d for %d", seed, n.Name(), n.Load(), n.Readers(), loads[n], readers[n])
		}
	}
}

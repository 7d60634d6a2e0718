package slotter

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

// shareNode is a world of one data node: readers that want 50 MB/s each, as many as
// the limit lets run, of at most 10. It returns how many ran in the second half,
// on average.
func shareNode(l *learnt, capacity, drift float64, rounds int) (mean float64) {
	const rate = 50 * megabyte
	for i := range rounds {
		running := 10.0
		if l.Capacity > 0 {
			running = math.Max(1, math.Min(10, math.Floor(float64(l.Capacity)/rate)))
		}
		load := running * rate
		for range int(running) {
			l.take(trial{Load: load, Rate: rate, Slow: drift * math.Max(1, load/capacity)})
		}
		if 2*i >= rounds {
			mean += running / float64(rounds-rounds/2)
		}
	}
	return mean
}

func TestALearntCapacityConvergesAndRecovers(t *testing.T) {
	var l learnt
	if n := shareNode(&l, 220*megabyte, 1, 200); n < 4 || n > 5.5 {
		t.Errorf("%.2f readers on average share what 4 could", n)
	}
	if n := shareNode(&l, 60*megabyte, 1, 400); n > 1.2 {
		t.Errorf("a filer that lost its cache is given %.2f readers, want little more than 1", n)
	}
	if n := shareNode(&l, 1000*megabyte, 1, 400); n < 9.9 {
		t.Errorf("repaired, it is given %.2f of 10 readers", n)
	}
}

// When all tasks are slower than their model says, whatever the load, that is
// the model's fault: the limit must not choke the job.
func TestTheModelIsToBlameWhenALimitDoesNotHelp(t *testing.T) {
	for _, drift := range []float64{1.35, 2, 10} {
		var l learnt
		if n := shareNode(&l, math.Inf(1), drift, 200); n < 9 {
			t.Errorf("tasks %v times as slow as predicted, on a filer without a limit: %.1f of 10 run", drift, n)
		}
	}
}

func TestALoneReaderTeachesNoLimit(t *testing.T) {
	var l learnt
	for range 100 {
		l.take(trial{Load: 50 * megabyte, Rate: 50 * megabyte, Slow: 3})
	}
	if l.Capacity != 0 {
		t.Errorf("it learnt %d", l.Capacity)
	}
}

// Tasks whose share of the work is larger than their model knows are slow, and
// the more of them run the more they seem to load their data node. But they
// compute all the time: nobody makes them wait.
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
			for _, at := range slices.Clone(p.a.state.Host("a").Attempts()) {
				end := done(at, 30) // three times as long as predicted
				end.CPU = c.cpu
				p.say(end)
			}
			p.a.lessons = nil
			limited = limited || p.a.sources.limited > 0
		}
		if limited != c.limited {
			t.Errorf("tasks that use %v s of CPU in 30 s limit their data node: %v", c.cpu, limited)
		}
	}
}

func TestNoTrialMakesALimitThatIsNoNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.Float64Range(0, 1e9), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), 0, math.MaxFloat64, 5e-324}))
		var l learnt
		for range rapid.IntRange(1, 200).Draw(t, "trials") {
			l.take(trial{number.Draw(t, "load"), number.Draw(t, "rate"), number.Draw(t, "slow")})
			if l.Capacity < 0 || l.Capacity > maxRate || len(l.Trials) > calm {
				t.Fatalf("%+v", l)
			}
		}
	})
}

// wave runs readers to their end on a node that gives at most capacity, and
// returns how many there were.
func (p *pool) wave(capacity float64) (n int) {
	p.settle()
	n = p.running("scan")
	seconds := 10 * math.Max(1, float64(n)*50*megabyte/capacity)
	for range int(seconds) { // hosts stay heard of
		p.pass(1)
	}
	p.now = p.now.Add(time.Duration((seconds - math.Floor(seconds)) * 1e9))
	for _, h := range p.a.state.Hosts() {
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
		t.Fatalf("%d readers run before anything is known", n)
	}
	for range 20 {
		p.a.lessons = nil // the model stays: only the node is to be learnt about
		p.wave(200 * megabyte)
	}
	if n := p.wave(200 * megabyte); n < 3 || n > 6 {
		t.Errorf("%d readers share a filer that can serve 4", n)
	}
	told := ask[subjects.SourcesAnswer](t, p, subjects.AskSources, &subjects.SourcesAsk{})
	if len(told.Nodes) != 1 || !told.Nodes[0].Learnt {
		t.Errorf("it is told of as %+v", told.Nodes)
	}
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	knew := p.a.sources.of["nfs:filer"].learnt.Capacity
	if err := p.a.Restore(b); err != nil || p.a.sources.of["nfs:filer"].learnt.Capacity != knew || p.a.sources.limited != 1 {
		t.Fatalf("after a restart it knows %+v, %v", p.a.sources.of["nfs:filer"].learnt, err)
	}
	p.beat("a")
	p.use("a", 10)
	for range 100 {
		p.a.lessons = nil
		p.wave(2000 * megabyte)
	}
	if n := p.wave(2000 * megabyte); n != 10 {
		t.Errorf("repaired, it is given %d of 10 readers", n)
	}
}

package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/spec"
)

// crowd is a pool of hosts with 8 slots each, loaded differently, and jobs of
// a few types, half of them with a deadline.
func crowd(b *testing.B, policy string, jobs, slots int) *pool {
	p := newPool(b, Config{Policy: policy})
	for i := range slots / 8 {
		p.join(fmt.Sprintf("host-%05d", i), 8, 1<<40, 0.5+float64(i%76)/10)
	}
	for i := range jobs {
		deadline := time.Duration(0)
		if i%2 == 0 {
			deadline = time.Duration(10+i%90) * time.Minute
		}
		p.submitSpec(fmt.Sprintf("job-%05d", i), deadline, spec.Job{
			Name: "job", Type: fmt.Sprint("type-", i%types), Stages: []spec.Stage{tasks("only", 50_000_000/uint32(jobs))},
		})
	}
	return p
}

// types is how many job types, and so how many models, a crowd's jobs share.
const types = 20

// models makes the types differ in what a loaded host does to them.
func (p *pool) models() {
	for i := range types {
		b := -0.5 - 3*float64(i)/float64(types)
		p.say(&subjects.Fitted{Type: fmt.Sprint("type-", i), A: 20, B: b, C: 1, Low: 0.05, High: 1, Samples: 9999})
	}
}

// BenchmarkDecide is a step's decisions alone: rounds of a thousand
// assignments until every slot has work. What comes back from the log is
// folded outside the clock.
func BenchmarkDecide(b *testing.B) {
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		for _, size := range [][2]int{{1000, 10_000}, {10_000, 10_000}, {1000, 100_000}} {
			b.Run(fmt.Sprintf("%s/%d jobs/%d slots", policy, size[0], size[1]), func(b *testing.B) {
				benchmarkDecide(b, policy, size[0], size[1], false)
			})
		}
	}
}

// BenchmarkDecideAndFold counts the fold of the decisions and of the tasks'
// ends too.
func BenchmarkDecideAndFold(b *testing.B) { benchmarkDecide(b, "mp", 1000, 10_000, true) }

func benchmarkDecide(b *testing.B, policy string, jobs, slots int, all bool) {
	p := crowd(b, policy, jobs, slots)
	p.models()
	assigned := 0
	var clock time.Duration
	b.ResetTimer()
	for b.Loop() {
		start := time.Now()
		events := p.decide()
		decided := time.Now()
		if len(events) == 0 {
			b.Fatal("nothing to decide")
		}
		assigned += len(events)
		p.fold(events)
		if p.full() {
			p.drain()
		}
		if all {
			decided = time.Now()
		}
		clock += decided.Sub(start)
	}
	b.ReportMetric(float64(assigned)/clock.Seconds(), "assignments/s")
	b.ReportMetric(float64(assigned)/float64(b.N), "a-round")
}

// fold is say without keeping a log.
func (p *pool) fold(events []subjects.Event) {
	for _, e := range events {
		p.seq++
		p.a.Step(actors.Input{Now: p.now, Entry: &actors.Entry{Seq: p.seq, Time: p.now, Event: e}})
	}
}

func (p *pool) full() bool {
	p.a.tracker.Settle()
	for _, h := range p.a.facts.Hosts.ByName {
		if h.Free() > 0 && h.Residual(1) >= 0.05 {
			return false
		}
	}
	return true
}

// drain finishes what runs.
func (p *pool) drain() {
	for _, h := range p.a.facts.Ledger.Hosts() {
		attempts := h.Attempts()
		events := make([]subjects.Event, len(attempts))
		for i, at := range attempts {
			events[i] = done(at, 10)
		}
		p.fold(events)
	}
}

// BenchmarkSample is what a second of one host's telemetry costs while a
// thousand jobs wait and every slot is taken.
func BenchmarkSample(b *testing.B) {
	p := crowd(b, "mp", 1000, 10_000)
	for !p.full() {
		p.fold(p.decide())
	}
	hosts := p.a.facts.Ledger.Hosts()
	for i := 0; b.Loop(); i++ {
		h := hosts[i%len(hosts)]
		u := &subjects.Usage{Host: h.Name, Idle: 8 + float64(i%7)/10}
		if out := p.a.Step(actors.Input{Now: p.now, Sample: u, Decide: true}); len(out.Events) > 8 {
			b.Fatal("the pool was not full")
		}
	}
}

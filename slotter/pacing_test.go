package slotter

import (
	"fmt"
	"math"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// reading submits a job whose tasks read 100 MB each, in 10 s on an idle core.
func (p *pool) reading(queue, id string, n uint32, deadline time.Duration) {
	st := tasks("only", n)
	st.Bytes = 100e6
	p.submitSpec(id, deadline, spec.Job{Name: "job", Type: "scan", Queue: queue, Stages: []spec.Stage{st}})
}

// rates are what the tasks of jobs are to read, in MB/s.
func (p *pool) rates() map[string]float64 {
	rates := map[string]float64{}
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			rates[at.Job.ID] = math.Round(at.Rate()/1e4) / 100
		}
	}
	return rates
}

func TestJobsThatCompeteAreHeldToTheirShares(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6})
	p.say(&subjects.Shared{Queue: "high", Weight: 2})
	p.reading("high", "h", 8, 0)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[h:0]" {
		t.Errorf("rates of h alone = %s, want map[h:0], as fast as it may", got)
	}
	p.reading("low", "l", 8, 0)
	p.pass(2)
	p.settle()
	// 80 MB/s in all: two thirds and a third, over eight tasks each.
	if got := fmt.Sprint(p.rates()); got != "map[h:6.67 l:3.33]" {
		t.Errorf("rates of h and l = %s, want map[h:6.67 l:3.33]", got)
	}
	if j := p.a.facts.Ledger.Job("h"); math.Abs(j.Paces()[0].Share-2./3) > 1e-5 || j.Paces()[0].Why != "share" {
		t.Errorf("pace of h = %+v, want two thirds as its share", j.Paces()[0])
	}
	p.finishAll("h")
	p.settle()
	p.pass(2)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[l:0]" {
		t.Errorf("rates of l alone again = %s, want map[l:0]", got)
	}
}

func (p *pool) finishAll(job string) {
	for _, h := range p.a.facts.Ledger.Hosts() {
		for i := len(h.Attempts()) - 1; i >= 0; i-- {
			if at := h.Attempts()[i]; at.Job.ID == job {
				p.say(done(at, 10))
			}
		}
	}
}

// What a deadline needs comes first, and says so.
func TestADeadlineIsARate(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6, Pace: PaceOn})
	p.reading("", "due", 8, 15*time.Second) // 800 MB in 15 s, and a tenth more: 58.7 MB/s
	p.reading("", "calm", 8, 0)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[calm:2.67 due:7.33]" {
		t.Errorf("rates = %s, want map[calm:2.67 due:7.33]", got)
	}
	if why := p.a.facts.Ledger.Job("due").Paces()[0].Why; why != "deadline" {
		t.Errorf("pace of due is for its %s, want deadline", why)
	}
}

// A rate is sent once, and again only when it differs by more than a little.
func TestRatesAreSaidOnce(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6, Pace: PaceOn})
	p.reading("a", "x", 12, 0)
	p.reading("b", "y", 12, 0)
	p.settle()
	for range 10 {
		p.pass(2)
		if events := p.settle(); len(events) > 0 {
			t.Fatalf("events without a change = %v, want none", describe(events))
		}
	}
	p.say(&subjects.Joined{Host: "h0", Cores: 4, Slots: 4, Memory: 1 << 30})
	p.use("h0", 4)
	p.pass(2)
	told := 0
	for _, e := range p.settle() {
		if e, ok := e.(*subjects.Paced); ok {
			told++
			if e.Host != "h0" || e.Term != p.a.facts.Ledger.Host("h0").Term {
				t.Errorf("paced %+v, want h0 and its new term", e)
			}
		}
	}
	if told == 0 {
		t.Error("paces for the host that began anew = 0, want at least 1")
	}
}

// Without a weight and by default no job is paced. When the weight is reset, all rates are lifted.
func TestPaceFollowsTheWeights(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6})
	p.reading("a", "x", 8, 0)
	p.reading("b", "y", 8, 0)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[x:0 y:0]" {
		t.Errorf("rates without weights = %s, want map[x:0 y:0]", got)
	}
	p.say(&subjects.Shared{Queue: "a", Weight: 1})
	p.pass(2)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[x:5 y:5]" {
		t.Errorf("rates with a weight = %s, want map[x:5 y:5]", got)
	}
	p.say(&subjects.Shared{Queue: "a"})
	p.pass(2)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[x:0 y:0]" {
		t.Errorf("rates after the weight was taken back = %s, want map[x:0 y:0]", got)
	}
}

// A task that was held back teaches no model how long it takes, and no data node
// that it is slow.
func TestPacedTasksTeachNothing(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6, Pace: PaceOn})
	p.say(&subjects.Fitted{Type: "scan", A: 10, Low: 0.05, High: 1, Samples: 100})
	p.reading("a", "x", 12, 0)
	p.reading("b", "y", 12, 0)
	p.settle()
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			if !at.Paced {
				t.Fatalf("attempt %d: Paced = false, want true", at.ID)
			}
		}
	}
	p.finish()
	p.settle()
	if w := p.a.models.Window("scan"); w != nil && len(w.Samples()) > 0 {
		t.Errorf("samples of tasks that were held back = %d, want 0", len(w.Samples()))
	}
}

// A queue that has no task for a moment, between two jobs, frees no other job: rates
// are lifted when it stays so.
func TestAMomentWithoutTasksChangesNoRates(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6})
	p.say(&subjects.Shared{Queue: "high", Weight: 2})
	p.say(&subjects.Shared{Queue: "low", Weight: 1, Jobs: 1})
	p.reading("high", "h", 8, 0)
	p.reading("low", "l", 8, 0)
	p.reading("low", "next", 8, 0)
	p.settle()
	p.pass(2)
	p.settle()
	before := p.rates()
	for i := range 6 {
		p.say(&subjects.Drained{Host: fmt.Sprint("h", i)}) // nothing follows for a while
	}
	p.finishAll("l")
	for _, e := range p.settle() {
		if e, ok := e.(*subjects.Paced); ok && e.Job == "h" {
			t.Errorf("paced at once: %+v, want no event of h", e)
		}
	}
	if got := p.rates()["h"]; math.Abs(got-before["h"]) > 1e-9 || got <= 0 {
		t.Errorf("rate of h = %v MB/s, want %v as before", got, before["h"])
	}
	for _, q := range p.a.facts.Queues.All() {
		if had := q.Reads.Had; (q.Name == "low") != (had <= 0) {
			t.Errorf("capacity that queue %s had = %v, want 0 of low and some of the other", q.Name, had)
		}
	}
	p.pass(2)
	p.settle()
	if got := p.rates()["h"]; got > 0 {
		t.Errorf("rate of h two seconds later = %v MB/s, want 0", got)
	}
}

// The capacity is that of the idle cores where none is configured.
func TestCapacityFollowsFromIdleCores(t *testing.T) {
	p := newPool(t, Config{Policy: "fifo", Pace: PaceOn})
	p.join("h", 8, 1<<30, 4) // eight slots on four idle cores, of 10 MB/s each
	p.pass(1)
	p.reading("a", "x", 4, 0)
	p.reading("b", "y", 4, 0)
	p.say(&subjects.Shared{Queue: "a", Weight: 3})
	p.settle()
	p.pass(60)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[x:8.63 y:2.88]" { // of 46 MB/s: a little more than there is
		t.Errorf("rates = %s, want map[x:8.63 y:2.88]", got)
	}
	p.say(&subjects.Identified{Host: "h", Job: "x", Fact: subjects.Fact{Term: p.a.facts.Ledger.Host("h").Term}, A: 0.5, B: 10e6})
	p.pass(2)
	p.settle() // B/(1−A) is twice as much
	if got := fmt.Sprint(p.rates()); got != "map[x:17.25 y:5.75]" {
		t.Errorf("rates once identified = %s, want map[x:17.25 y:5.75]", got)
	}
}

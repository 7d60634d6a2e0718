package slotter

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// restart continues with an actor that has only what a snapshot keeps. All hosts send their
// telemetry again.
func (p *pool) restart() {
	b, err := p.a.Snapshot()
	if err != nil {
		p.tb.Fatal(err)
	}
	was := p.a
	if p.a, err = New(was.facts.Config); err == nil {
		err = p.a.Restore(b)
	}
	if err != nil {
		p.tb.Fatal(err)
	}
	for _, h := range was.facts.Hosts.ByName {
		p.use(h.Life.Name, h.Idle)
	}
}

// told returns the slotter's events, second by second, while a script goes on.
func told(t *testing.T, cfg Config, script func(p *pool, second int), obeys, restarts bool) (text string) {
	p := sharePool(t, cfg)
	p.say(&subjects.Shared{Queue: "a", Weight: 1})
	for second := range 60 {
		if restarts {
			p.restart()
		}
		p.say(&subjects.Led{Actor: Name, Partition: "all"})
		script(p, second)
		p.pass(1)
		for {
			events := p.settle()
			for _, e := range events {
				text += fmt.Sprintf("%2d s: %T%+v\n", second, e, e)
			}
			if !obeys || len(p.yielded(events)) == 0 {
				break
			}
		}
	}
	return text
}

// A slotter that restarts every second ends the same attempts, at the same time and for the same
// reasons, as one that never does. It also sends the same rates.
func TestPreemptionGoesOnOverARestart(t *testing.T) {
	share := func(p *pool, second int) {
		switch second {
		case 0:
			p.submitTo("a", "x", 1000, 0)
		case 5:
			p.submitTo("b", "y", 1000, 0)
		}
	}
	deadline := func(p *pool, second int) {
		switch second {
		case 0:
			p.submitTo("a", "calm", 1000, 0)
		case 5:
			p.submitTo("b", "late", 100, time.Minute)
		}
	}
	rates := func(p *pool, second int) {
		switch second {
		case 0:
			p.reading("a", "l", 60, 0)
		case 5:
			p.reading("b", "h", 30, 0)
		}
		p.finishOne("a")
		p.finishOne("b")
	}
	for _, c := range []struct {
		name   string
		cfg    Config
		script func(p *pool, second int)
		stays  bool // the attempt that is to end does not
		says   string
	}{
		{"share", Config{Policy: "fifo", Preempt: PreemptKill}, share, false, "For:y"},
		{"share that is not given", Config{Policy: "fifo", Preempt: PreemptKill}, share, true, "For:y"},
		{"deadline", Config{Policy: "mp", Preempt: PreemptKill}, deadline, false, "For:late"},
		{"rates", Config{Policy: "fifo", Capacity: 80e6}, rates, false, "Paced"},
		{"rates of what begins", Config{Policy: "fifo", Capacity: 80e6, Preempt: PreemptNone}, rates, false, "Paced"},
	} {
		want, got := told(t, c.cfg, c.script, !c.stays, false), told(t, c.cfg, c.script, !c.stays, true)
		if !strings.Contains(want, c.says) {
			t.Errorf("%s: events =\n%s\nwant %s among them", c.name, want, c.says)
		}
		if want != got {
			t.Errorf("%s: %s", c.name, firstDifference(want, got))
		}
	}
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("without restarts\n%s\nwith\n%s", a[i], b[i])
		}
	}
	return fmt.Sprintf("%d events without restarts, %d with", len(a), len(b))
}

// A restart in the moment between two tasks lifts no rate, and the rates are lifted when
// they would have been without it.
func TestARestartInAMomentWithoutTasksChangesNoRates(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6})
	p.say(&subjects.Shared{Queue: "low", Weight: 1, Jobs: 1})
	p.reading("high", "h", 8, 0)
	p.reading("low", "l", 8, 0)
	p.reading("low", "next", 8, 0)
	p.settle()
	p.pass(2)
	p.settle()
	for i := range 6 {
		p.say(&subjects.Drained{Host: fmt.Sprint("h", i)})
	}
	p.finishAll("l")
	p.settle()
	for range 3 {
		p.now = p.now.Add(300 * time.Millisecond)
		p.restart()
		if events := p.settle(); len(events) > 0 {
			t.Fatalf("events after a restart within the second = %+v, want none", events[0])
		}
	}
	p.now = p.now.Add(100 * time.Millisecond)
	if p.settle(); p.rates()["h"] > 0 {
		t.Errorf("rate of h a second after l ended = %v MB/s, want 0", p.rates()["h"])
	}
}

// A task that begins during a restart was promised nothing either.
func TestAfterARestartNewTasksArePaced(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6, Preempt: PreemptNone})
	p.say(&subjects.Shared{Queue: "high", Weight: 2})
	p.reading("high", "h", 8, 0)
	p.reading("low", "l", 8, 0)
	p.settle()
	p.pass(2)
	p.settle()
	p.reading("low", "m", 8, 0)
	p.turn()
	p.restart()
	p.settle()
	if p.rates()["m"] <= 0 {
		t.Errorf("rates = %v, want m above 0", p.rates())
	}
}

// A slotter that leads again after another, or goes on after a pause, does not know for how
// long a claim was unmet.
func TestAClaimBeginsAnewAfterALapse(t *testing.T) {
	for what, lapse := range map[string]func(p *pool){
		"another led": func(p *pool) {
			p.now = p.now.Add(time.Hour)
			p.say(&subjects.Led{Actor: Name, Partition: "all"})
		},
		"an old snapshot": func(p *pool) {
			p.now = p.now.Add(time.Hour)
			p.restart()
			p.say(&subjects.Led{Actor: Name, Partition: "all"})
		},
		"a pause": func(p *pool) {
			p.say(&subjects.PoolPaused{})
			p.spend(60)
			p.say(&subjects.PoolResumed{})
		},
	} {
		p := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
		p.submitTo("a", "x", 1000, 0)
		p.settle()
		p.submitTo("b", "y", 1000, 0)
		p.spend(5)
		lapse(p)
		if early := p.spend(9); len(early) > 0 {
			t.Errorf("%s: attempts ended for a claim of nine seconds = %d, want 0", what, len(early))
		}
		if p.spend(4); p.held()["b"] != 12 {
			t.Errorf("%s: held = %v, want b 12", what, p.held())
		}
		if owes := p.a.facts.Queues.Get("a").Slots.Surplus; owes > 12*30 {
			t.Errorf("%s: a owes %v slot-seconds, want at most %d: 12 slots for some 20 s", what, owes, 12*30)
		}
	}
}

package slotter

import (
	"fmt"
	"testing"
	"time"

	"lull/actors"
	"lull/slotter/liveness"
	"lull/subjects"
)

func TestConfigIsChecked(t *testing.T) {
	for _, cfg := range []Config{{Policy: "lifo"}, {Silence: -1}, {Retention: -time.Hour}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("New(%+v) = nil error, want an error", cfg)
		}
	}
}

func TestNothingIsDecidedUnasked(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	if out := p.a.Step(actors.Input{Now: p.now}); len(out.Events) != 0 {
		t.Errorf("Step without Decide = %s, want no events", describe(out.Events))
	}
}

func TestWhatWasLostIsSaidAgain(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 2, 10, 2)
	p.submit("j", 0, tasks("one", 2))
	first, second := describe(p.decide()), describe(p.decide())
	if first == "" || first != second {
		t.Errorf("two decisions in the same state =\n%s\nand\n%s\nwant the same", first, second)
	}
}

func TestABatchIsBounded(t *testing.T) {
	p := newPool(t, Config{})
	for i := range 3 {
		p.join(fmt.Sprint("host-", i), 1000, 1e6, 1000)
	}
	p.submit("j", 0, tasks("one", 2500))
	for _, want := range []int{1000, 1000, 500, 0} {
		if got := len(p.turn()); got != want {
			t.Errorf("a batch of %d, want %d", got, want)
		}
	}
	p.say(&subjects.Cancelled{Job: "j"})
	for _, want := range []int{1000, 1000, 500, 0} {
		if got := len(p.turn()); got != want {
			t.Errorf("%d revocations, want %d", got, want)
		}
	}
}

func TestItWakesForABackoff(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	st := tasks("one", 1)
	st.Retries, st.Backoff = 1, 300*time.Millisecond
	p.submit("j", 0, st)
	p.settle()
	p.say(&subjects.Failed{Host: "a", Job: "j", Fact: fact(p.a.facts.Ledger.Attempt(p.seq)), Reason: subjects.ReasonExit})
	if at := p.a.Step(actors.Input{Now: p.now, Decide: true}).Wake; !at.Equal(p.now.Add(st.Backoff)) {
		t.Errorf("wakes after %v, want %v", at.Sub(p.now), st.Backoff)
	}
	p.now = p.now.Add(st.Backoff)
	if got := len(p.turn()); got != 1 {
		t.Errorf("events when the backoff ends = %d, want 1", got)
	}
}

// A wake must lie in the future, or the shell would spin. That holds too when what is due waits for
// something else, as in a paused pool.
func TestItNeverWakesInThePast(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	st := tasks("one", 1)
	st.Retries, st.Backoff = 1, time.Second
	p.submit("j", 0, st)
	p.settle()
	p.say(&subjects.Failed{Host: "a", Job: "j", Fact: fact(p.a.facts.Ledger.Attempt(p.seq)), Reason: subjects.ReasonExit})
	p.turn()
	p.say(&subjects.PoolPaused{})
	for range 20 {
		p.now = p.now.Add(300 * time.Millisecond)
		if at := p.a.Step(actors.Input{Now: p.now, Decide: true}).Wake; !at.After(p.now) {
			t.Fatalf("Wake = %v ago, want it in the future", p.now.Sub(at))
		}
	}
}

func TestLinesAndCurvesOfEndedJobsGo(t *testing.T) {
	p := newPool(t, Config{})
	for i := range 500 {
		st := tasks("one", 1)
		st.Estimate = time.Duration(i+1) * time.Second
		p.submit(fmt.Sprint("j", i), 0, st)
		p.say(&subjects.Cancelled{Job: fmt.Sprint("j", i)})
	}
	if n := len(p.a.facts.Lines.Groups); n > 100 {
		t.Errorf("groups after all jobs ended = %d, want at most 100", n)
	}
}

func TestADoubtIsSaidOnceWhenItBeginsAndEnds(t *testing.T) {
	p := newPool(t, Config{})
	for _, name := range []string{"a", "b", "c"} {
		p.join(name, 1, 10, 1)
	}
	said := func() (all []actors.Action) {
		for range 3 {
			all = append(all, p.a.Step(actors.Input{Now: p.now, Decide: true}).Actions...)
		}
		return all
	}
	p.pass(20, "a", "b")
	if got := said(); len(got) != 1 || got[0] != (liveness.Suspicion{Silent: 2, Present: 3}) {
		t.Errorf("suspicions when two of three hosts fall silent = %v, want one: 2 of 3", got)
	}
	p.pass(1)
	if got := said(); len(got) != 1 || got[0] != (liveness.Suspicion{}) {
		t.Errorf("suspicions when the hosts are back = %v, want one: none silent", got)
	}
}

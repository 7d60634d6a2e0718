package slotter

import (
	"testing"
	"time"

	"lull/subjects"
)

// listed returns the line of a host in what the slotter answers, nil if it is not listed.
func (p *pool) listed(name string) *subjects.HostLine {
	answer := ask[subjects.HostsAnswer](p.tb.(*testing.T), p, subjects.AskHosts, &subjects.HostsAsk{})
	for i := range answer.Hosts {
		if answer.Hosts[i].Host == name {
			return &answer.Hosts[i]
		}
	}
	return nil
}

// A host that misses beats is listed as silent at once, long before it counts as lost, with
// the time since its last beat.
func TestAHostThatMissesBeatsIsListedAsSilent(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 100, 1)
	p.join("b", 1, 100, 1)
	for _, step := range []struct {
		seconds int
		state   string
		silence float64
	}{{0, "up", 0}, {2, "up", 2}, {1, subjects.Silent, 3}, {12, subjects.Silent, 15}, {1, "lost", 16}, {60, "lost", 76}} {
		p.pass(step.seconds, "a")
		p.turn()
		a, b := p.listed("a"), p.listed("b")
		if a.State != step.state || a.Silence < step.silence-0.01 || a.Silence > step.silence+0.01 {
			t.Errorf("a, %g s after its last beat: %s for %g s, want %s", step.silence, a.State, a.Silence, step.state)
		}
		if b.State != "up" || b.Silence > 0 {
			t.Errorf("b, which beats: %s for %g s, want up for 0", b.State, b.Silence)
		}
	}
	p.say(&subjects.Paused{Host: "b"})
	p.pass(4, "b")
	if b := p.listed("b"); b.State != subjects.Silent {
		t.Errorf("b, paused and silent: %s, want %s", b.State, subjects.Silent)
	}
}

// A host that left goes from the list by itself after Config.Forget, though it holds no
// attempts; one event is enough. It is listed again when it joins.
func TestAHostThatIsAwayForLongIsListedNoMore(t *testing.T) {
	p := newPool(t, Config{Forget: time.Hour})
	p.join("a", 1, 100, 1)
	p.join("b", 1, 100, 1)
	p.say(&subjects.Left{Host: "a", Term: p.a.facts.Ledger.Host("a").Term})
	p.pass(1, "a")
	p.settle()
	if a := p.listed("a"); a == nil || a.State != "left" || a.Silence < 0.99 || a.Silence > 1.01 {
		t.Fatalf("a after a second = %+v, want left for 1 s", a)
	}
	p.now = p.now.Add(time.Hour + time.Second)
	p.beat("b")
	given := 0
	for range 3 {
		p.now = p.now.Add(time.Second)
		p.beat("b")
		for _, e := range p.settle() {
			if l, ok := e.(*subjects.Lost); ok && l.Forget && l.Host == "a" {
				given++
			}
		}
	}
	if given != 1 || p.listed("a") != nil || p.listed("b") == nil {
		t.Errorf("given up %d times, a %+v, b %+v, want once, a gone and b there", given, p.listed("a"), p.listed("b"))
	}
	p.join("a", 1, 100, 1)
	if a := p.listed("a"); a == nil || a.State != "up" {
		t.Errorf("a after it joined again = %+v, want up", a)
	}
}

package slotter

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lull/subjects"
)

// beats returns n heartbeats of host a that list these attempts.
func (p *pool) beats(n int, seq uint64, attempts ...uint64) (events []subjects.Event) {
	for range n {
		p.sample(&subjects.Beat{Host: "a", Term: p.a.facts.Ledger.Host("a").Term, Seq: seq, Attempts: attempts})
		events = append(events, p.turn()...)
	}
	return events
}

func TestAnUnknownAttemptOfAHostIsRevoked(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	id := p.seq // of the assignment
	p.finish()
	p.settle()
	if events := p.beats(2, p.seq, id); len(events) != 0 {
		t.Fatalf("events after two beats = %s, want none: they may be older than the report", describe(events))
	}
	events := p.beats(1, p.seq, id)
	if len(events) != 1 || !strings.HasPrefix(sentence(events[0]), "revoked -/") {
		t.Fatalf("events = %q, want a revocation without a job", describe(events))
	}
	if again := p.beats(5, p.seq, id); len(again) != 0 {
		t.Errorf("events right after it was revoked = %s, want none", describe(again))
	}
	if again := p.beats(1, p.seq, id); len(again) != 1 {
		t.Errorf("revoked again %d times, want 1", len(again))
	}
	if late := p.beats(9, p.seq, p.seq+100); len(late) != 0 {
		t.Errorf("events for an attempt that is not folded yet = %s, want none", describe(late))
	}
}

func TestAnAttemptThatItsHostDoesNotHoldIsRevoked(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	id := p.seq
	if early := p.beats(9, id-1); len(early) != 0 {
		t.Fatalf("events for an attempt that the host cannot have seen = %s, want none", describe(early))
	}
	if first := p.beats(2, id); len(first) != 0 {
		t.Fatalf("events while its report may be on its way = %s, want none", describe(first))
	}
	p.beats(1, id, id) // it was only slow
	events := p.beats(3, id)
	if len(events) != 1 || sentence(events[0]) != "revoked j/5 on a: the host does not hold it" {
		t.Fatalf("events = %q, want the attempt revoked once", describe(events))
	}
	at := p.a.facts.Ledger.Attempt(id)
	p.say(&subjects.Evicted{Host: "a", Job: "j", Fact: fact(at), Reason: subjects.ReasonVanished})
	if events := p.settle(); len(assignments(events)) != 1 {
		t.Errorf("events = %s, want its task assigned again", describe(events))
	}
}

func TestBeatsOfAnOlderIncarnationAreIgnored(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	old := p.a.facts.Ledger.Host("a").Term
	p.join("a", 1, 10, 1)
	for range 5 {
		p.sample(&subjects.Beat{Host: "a", Term: old, Seq: p.seq, Attempts: []uint64{1}})
	}
	if events := p.turn(); len(events) != 0 {
		t.Errorf("events for an old beat = %s, want none", describe(events))
	}
}

func TestAHostThatIsPausedFullOrFrozenGetsNothing(t *testing.T) {
	for _, b := range []subjects.Beat{{Paused: true}, {Full: true}, {Frozen: true}} {
		p := newPool(t, Config{})
		p.join("a", 1, 10, 1)
		b.Host, b.Term, b.Seq = "a", p.a.facts.Ledger.Host("a").Term, p.seq
		p.sample(&b)
		p.submit("j", 0, tasks("one", 1))
		if events := p.settle(); len(events) != 0 {
			t.Errorf("events with beat %+v = %s, want none", b, describe(events))
		}
		b.Paused, b.Full, b.Frozen = false, false, false
		p.sample(&b)
		if events := p.settle(); len(events) != 1 {
			t.Errorf("events when the host can take tasks again = %s, want one", describe(events))
		}
	}
}

func TestALateFinishOfALostHostLeavesOneCommitAndNoRival(t *testing.T) {
	p := newPool(t, Config{})
	for _, name := range []string{"a", "b"} {
		p.join(name, 1, 10, 1)
	}
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	first := p.a.facts.Ledger.Attempt(p.seq)
	p.pass(16, first.Host.Name)
	events := p.settle() // lost, and assigned to the other
	if len(assignments(events)) != 1 {
		t.Fatalf("events = %s, want the host lost and its task assigned to the other one", describe(events))
	}
	p.say(done(first, 20))
	events = p.settle()
	if text := describe(events); !strings.Contains(text, "j finished") || !strings.Contains(text, "revoked j/") {
		t.Errorf("events = %q, want the job's end and the rival's revocation", text)
	}
}

// A job is cancelled. The host of its attempt is lost and comes back, the job is retried, and the
// task goes to another host. The first attempt runs on, unwanted, and no event says so.
func TestARivalFromAnEarlierLifeOfTheJobIsRevoked(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	host := p.a.facts.Ledger.Host("a")
	rival := host.Attempts()[0]
	p.say(&subjects.Cancelled{Job: "j"}, &subjects.Lost{Host: "a", Term: host.Term})
	p.join("a", 1, 10, 1)
	p.join("b", 1, 10, 1)
	p.say(&subjects.Retried{Job: "j"})
	p.settle()
	p.pass(1)
	events := describe(p.settle())
	if want := fmt.Sprintf("revoked j/%d on a", rival.ID); !strings.Contains(events, want) {
		t.Errorf("events = %q, want %q", events, want)
	}
}

// The pool is paused while an assignment is on its way. The assignment is void, but its
// host, which does not read pool events, would run it until its beats are compared.
func TestAnAssignmentBehindThePoolsPauseIsTakenBack(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	batch := p.decide()
	p.say(&subjects.PoolPaused{})
	p.say(batch...)
	attempt := p.seq
	for _, e := range p.turn() {
		if r, ok := e.(*subjects.Revoked); ok && r.Host == "a" && r.Attempt == attempt {
			return
		}
	}
	t.Errorf("attempt %d is not revoked, want it revoked", attempt)
}

// The slotter gives up a host that has been away for a week, even one that left.
func TestAHostThatStaysAwayIsForgotten(t *testing.T) {
	p := newPool(t, Config{})
	p.join("a", 1, 10, 1)
	p.submit("j", 0, tasks("one", 1))
	p.settle()
	forgets := func() (n int) {
		for _, e := range p.turn() {
			if l, ok := e.(*subjects.Lost); ok && l.Forget {
				n++
			}
		}
		return n
	}
	p.pass(20, "a")
	p.settle()
	if h := p.a.facts.Ledger.Host("a"); !h.Lost || len(h.Attempts()) != 1 {
		t.Fatalf("the host is %s with %d attempts, want lost with 1", h.State(), len(h.Attempts()))
	}
	p.now = p.now.Add(7*24*time.Hour - 2*time.Minute)
	if n := forgets(); n != 0 {
		t.Errorf("given up %d times within the week, want 0", n)
	}
	p.now = p.now.Add(3 * time.Minute)
	if n := forgets(); n != 1 || len(p.a.facts.Ledger.Host("a").Attempts()) != 0 {
		t.Errorf("given up %d times, attempts left = %d, want 1, 0", n, len(p.a.facts.Ledger.Host("a").Attempts()))
	}
}

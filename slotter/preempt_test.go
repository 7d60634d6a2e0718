package slotter

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// yielded ends all revoked attempts at once, and returns what ends for others.
func (p *pool) yielded(events []subjects.Event) (all []*subjects.Revoked) {
	for _, e := range events {
		e, ok := e.(*subjects.Revoked)
		if !ok {
			continue
		}
		if e.For != "" {
			all = append(all, e)
		}
		if at := p.a.facts.Ledger.Attempt(e.Attempt); at != nil {
			p.say(&subjects.Evicted{Host: e.Host, Job: e.Job, Fact: fact(at), Reason: subjects.ReasonPreempted})
		}
	}
	return all
}

// spend advances time second by second, and returns the attempts that ended for others meanwhile.
func (p *pool) spend(seconds int) (all []*subjects.Revoked) {
	for range seconds {
		p.pass(1)
		for more := p.yielded(p.settle()); len(more) > 0; more = p.yielded(p.settle()) {
			all = append(all, more...)
		}
	}
	return all
}

func TestAQueueIsGivenItsShareAfterAWhile(t *testing.T) {
	for mode, want := range map[string]string{PreemptKill: "map[a:12 b:12]", PreemptThrottle: "map[a:24]", PreemptNone: "map[a:24]"} {
		for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
			p := sharePool(t, Config{Policy: policy, Preempt: mode})
			p.submitTo("a", "x", 1000, 0)
			p.settle()
			p.pass(30)
			p.submitTo("b", "y", 1000, 0)
			if early := p.spend(9); len(early) > 0 {
				t.Errorf("%s, %s: attempts ended within nine seconds = %d, want 0", mode, policy, len(early))
			}
			if p.spend(3); fmt.Sprint(p.held()) != want {
				t.Errorf("%s, %s: held = %v, want %s", mode, policy, p.held(), want)
			}
			if more := p.spend(120); len(more) > 0 {
				t.Errorf("%s, %s: attempts ended of queues within their share = %d, want 0", mode, policy, len(more))
			}
			p.say(&subjects.Cancelled{Job: "y"})
			p.spend(2)
			j := p.a.facts.Ledger.Job("x")
			if p.held()["a"] != 24 {
				t.Errorf("%s, %s: held when the claimant is gone = %v, want a 24", mode, policy, p.held())
			}
			if mode == PreemptKill && (j.Totals.Evicted != 12 || j.Totals.Failed != 0 || j.Stages[0].Waiting() != 976) {
				t.Errorf("%s: totals %+v, %d wait, want 12 evicted, 0 failed, 976", policy, j.Totals, j.Stages[0].Waiting())
			}
		}
	}
}

// No attempt can make way where the primaries take all: that is no reason to look ever
// less often for one that can.
func TestAClaimOutlivesABurst(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	p.submitTo("b", "y", 1000, 0)
	p.spend(5)
	for _, h := range p.a.facts.Hosts.ByName {
		p.use(h.Life.Name, 0)
	}
	if ended := p.spend(120); len(ended) > 0 {
		t.Errorf("attempts ended for slots that no task can use = %d, want 0", len(ended))
	}
	for _, h := range p.a.facts.Hosts.ByName {
		p.use(h.Life.Name, 4)
	}
	if p.spend(12); p.held()["b"] != 12 {
		t.Errorf("held 12 s after the burst = %v, want b 12", p.held())
	}
}

// A claim that was met while nothing was waiting has to stand for as long again.
func TestAClaimThatWasMetBeginsAnew(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
	p.submitTo("a", "x", 24, 0)
	p.settle()
	p.submitTo("b", "y", 4, 0)
	p.spend(5)
	for range 4 {
		p.finishOne("a")
	}
	p.spend(60) // all that there is runs
	p.submitTo("b", "z", 4, 0)
	if early := p.spend(9); len(early) > 0 {
		t.Errorf("attempts ended for a claim of nine seconds = %d, want 0", len(early))
	}
	if p.spend(3); p.held()["b"] != 8 {
		t.Errorf("held after 12 s = %v, want b 8", p.held())
	}
}

// What a queue does not lend, a deadline of another does not get; in its own queue it
// is given all that it needs. fifo and edf know no deadline that is at risk.
func TestADeadlineIsGivenWhatItNeeds(t *testing.T) {
	for policy, want := range map[string][2]string{
		"mp": {"map[a:6 b:18]", "23 of 24"}, "mp+": {"map[a:6 b:18]", "23 of 24"},
		"edf": {"map[a:12 b:12]", "0 of 24"}, "fifo": {"map[a:12 b:12]", "0 of 24"},
	} {
		for i, queue := range []string{"b", "a"} {
			p := sharePool(t, Config{Policy: policy, Preempt: PreemptKill})
			p.submitTo("a", "calm", 1000, 0)
			p.settle()
			p.submitTo(queue, "late", 100, time.Minute) // 100 tasks of 10 s take 42 s of all 24 slots
			p.spend(15)
			got := fmt.Sprint(p.held())
			if i == 1 {
				got = fmt.Sprintf("%d of 24", p.a.facts.Ledger.Job("late").Held())
			}
			if got != want[i] {
				t.Errorf("%s, queue %s: held = %s, want %s", policy, queue, got, want[i])
			}
		}
	}
}

func TestTheLeastWorkIsLost(t *testing.T) {
	p := newPool(t, Config{Preempt: PreemptKill, Policy: "fifo"})
	p.join("h", 2, 1<<30, 2)
	p.pass(1)
	p.submitTo("a", "old", 1, 0)
	p.settle()
	p.spend(5)
	p.submitTo("a", "young", 1, 0)
	p.settle()
	p.submitTo("b", "claimant", 1, 0)
	ended := p.spend(12)
	if len(ended) != 1 || ended[0].Job != "young" || ended[0].For != "claimant" {
		t.Fatalf("ended = %+v, want one of young for claimant", ended)
	}
	if want := "queue b holds fewer slots than its share, and job claimant waited 10 s for one"; ended[0].Why != want {
		t.Errorf("why: %q, want %q", ended[0].Why, want)
	}
	if st := p.a.facts.Ledger.Job("claimant").Stages[0]; st.Held != 1 {
		t.Errorf("tasks of claimant that run = %d, want 1", st.Held)
	}
}

// A job that needs its slots for its own deadline gives none of them.
func TestAJobThatNeedsASlotKeepsIt(t *testing.T) {
	p := newPool(t, Config{Preempt: PreemptKill, Policy: "mp"})
	p.join("h", 4, 1<<30, 4)
	p.pass(1)
	p.submitTo("a", "due", 8, 22*time.Second) // two waves of ten seconds
	p.settle()
	p.submitTo("b", "claimant", 4, 0)
	if ended := p.spend(12); len(ended) > 0 {
		t.Errorf("attempts ended = %d, want 0, or a deadline is missed", len(ended))
	}
}

// A wide task is given slots beside each other, of one host, and as few as do.
func TestRoomIsMadeOnOneHost(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	wide := tasks("only", 1)
	wide.CPU = 3
	p.submitSpec("w", 0, spec.Job{Name: "job", Type: "w", Queue: "b", Stages: []spec.Stage{wide}})
	ended := p.spend(12)
	if len(ended) != 3 || slices.ContainsFunc(ended, func(e *subjects.Revoked) bool { return e.Host != ended[0].Host }) {
		t.Errorf("%d attempts end for a task of three slots: %+v, want 3 on one host", len(ended), ended)
	}
	if p.a.facts.Ledger.Job("w").Held() != 1 {
		t.Errorf("tasks of w that run = %d, want 1", p.a.facts.Ledger.Job("w").Held())
	}
}

// Nothing is taken for a claim that it does not help. A claim that no ending meets is looked at
// ever less often.
func TestAUselessPreemptionIsNotRepeated(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	p.submitTo("b", "y", 1000, 0)
	taken := 0
	for range 120 { // the attempt that is to end does not
		p.pass(1)
		for _, e := range p.settle() {
			if e, ok := e.(*subjects.Revoked); ok && e.For != "" {
				taken++
			}
		}
	}
	if taken != 12 {
		t.Errorf("attempts to end for twelve slots = %d, want 12", taken)
	}
	if state := p.a.facts.Ledger.Attempt(oldest(p)).State; state != ledger.Given && state != ledger.Revoked {
		t.Errorf("state of the oldest attempt = %v, want given or revoked", state)
	}
}

func oldest(p *pool) uint64 { return p.a.facts.Ledger.Hosts()[0].Attempts()[0].ID }

func TestRivalsMakeWayFirst(t *testing.T) {
	p := newPool(t, Config{Preempt: PreemptKill, Policy: "fifo", Rivals: -1})
	p.join("g", 1, 1<<30, 1)
	p.join("h", 1, 1<<30, 1)
	p.pass(1)
	p.submitTo("a", "x", 1, 0)
	p.settle()
	held := p.a.facts.Ledger.Job("x").Stages[0]
	_, id, _ := held.Task(0)
	other := p.a.facts.Ledger.Host("h")
	if p.a.facts.Ledger.Attempt(id).Host == other {
		other = p.a.facts.Ledger.Host("g")
	}
	p.say(&subjects.Assigned{Host: other.Name, Job: "x", Term: other.Term, Width: 1, Try: 2, Rival: true})
	p.submitTo("b", "y", 1, 0)
	ended := p.spend(12)
	if len(ended) != 1 || ended[0].Attempt == id || p.a.facts.Ledger.Job("y").Held() != 1 {
		t.Errorf("ended = %+v, want one other than %d, and y running", ended, id)
	}
}

// Nothing that runs is slowed for another when all may run to their end; what begins
// later is.
func TestNoneLetsWhatRunsGoOn(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6, Preempt: PreemptNone})
	p.say(&subjects.Shared{Queue: "high", Weight: 2})
	p.reading("low", "l", 8, 0)
	p.settle()
	p.pass(5)
	p.reading("high", "h", 8, 0)
	for range 5 {
		p.settle()
		p.pass(2)
	}
	if got := fmt.Sprint(p.rates()); got != "map[h:6.67 l:0]" {
		t.Errorf("rates of what runs and what begins = %s, want map[h:6.67 l:0]", got)
	}
	p.finishAll("l")
	p.settle() // no job competes: h has no limit
	p.reading("low", "m", 8, 0)
	p.settle()
	p.pass(2)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[h:0 m:3.33]" {
		t.Errorf("rates of what begins later = %s, want map[h:0 m:3.33]", got)
	}
	p.finishAll("h")
	p.settle()
	p.pass(2)
	p.settle()
	if got := fmt.Sprint(p.rates()); got != "map[m:0]" {
		t.Errorf("rates of m alone again = %s, want map[m:0]", got)
	}
}

func TestAPaceNamesThoseItIsFor(t *testing.T) {
	p := sharePool(t, Config{Capacity: 80e6})
	p.say(&subjects.Shared{Queue: "high", Weight: 2})
	p.reading("high", "h", 8, 0)
	p.reading("low", "l", 8, 0)
	p.settle()
	p.pass(2)
	p.settle()
	for job, want := range map[string]string{"h": "[l]", "l": "[h]"} {
		if got := fmt.Sprint(p.a.facts.Ledger.Job(job).Paces()[0].For); got != want {
			t.Errorf("%s gives way to %s, want %s", job, got, want)
		}
	}
}

func TestPreemptionIsChecked(t *testing.T) {
	for _, cfg := range []Config{{Preempt: "evict"}, {PreemptAfter: -1}} {
		if _, err := New(cfg); err == nil {
			t.Errorf("New(%+v) = nil error, want an error", cfg)
		}
	}
}

// What is decided but not written, because the log is full, is decided again.
func TestWhatIsNotWrittenIsSaidAgain(t *testing.T) {
	kill := sharePool(t, Config{Policy: "fifo", Preempt: PreemptKill})
	kill.submitTo("a", "x", 1000, 0)
	kill.settle()
	kill.submitTo("b", "y", 1000, 0)
	kill.spend(9)
	kill.pass(2)
	lift := sharePool(t, Config{Capacity: 80e6})
	lift.say(&subjects.Shared{Queue: "high", Weight: 2})
	lift.reading("high", "h", 8, 0)
	lift.reading("low", "l", 8, 0)
	lift.settle()
	lift.pass(2)
	lift.settle()
	lift.say(&subjects.Cancelled{Job: "l"})
	for what, p := range map[string]*pool{"who makes way": kill, "rates that are lifted": lift} {
		first := p.decide()
		again := p.decide()
		if len(first) == 0 || !slices.Equal(described(first), described(again)) {
			t.Errorf("%s: events of two decisions = %d, %d, want the same and at least 1", what, len(first), len(again))
		}
	}
	if kill.yielded(kill.settle()); kill.settle() == nil || kill.held()["b"] != 12 {
		t.Errorf("held = %v, want b 12", kill.held())
	}
}

func described(events []subjects.Event) (all []string) {
	for _, e := range events {
		all = append(all, fmt.Sprintf("%T%+v", e, e))
	}
	return all
}

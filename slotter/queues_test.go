package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// submitTo submits a job of one stage to a queue.
func (p *pool) submitTo(queue, id string, n uint32, deadline time.Duration) {
	p.submitSpec(id, deadline, spec.Job{Name: "job", Type: id, Queue: queue, Stages: []spec.Stage{tasks("only", n)}})
}

// held counts the slots of each queue.
func (p *pool) held() map[string]int {
	held := map[string]int{}
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			held[at.Job.Shape.Share()]++
		}
	}
	return held
}

// sharePool has 24 slots on idle cores.
func sharePool(t *testing.T, cfg Config) *pool {
	p := newPool(t, cfg)
	for i := range 6 {
		p.join(fmt.Sprint("h", i), 4, 1<<30, 4)
	}
	p.pass(1)
	return p
}

func TestQueuesShareSlotsByWeight(t *testing.T) {
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		for _, c := range []struct {
			weights map[string]float64
			want    string
		}{
			{nil, "map[a:8 b:8 default:8]"},
			{map[string]float64{"a": 2}, "map[a:12 b:6 default:6]"},
			{map[string]float64{"a": 2, "b": 0.5, "default": 0.5}, "map[a:16 b:4 default:4]"},
		} {
			p := sharePool(t, Config{Policy: policy})
			for q, w := range c.weights {
				p.say(&subjects.Shared{Queue: q, Weight: w})
			}
			p.submitTo("", "x", 100, 0)
			p.submitTo("a", "y", 100, 0)
			p.submitTo("b", "z", 100, 0)
			p.settle()
			if got := fmt.Sprint(p.held()); got != c.want {
				t.Errorf("%s, weights %v: held = %s, want %s", policy, c.weights, got, c.want)
			}
		}
	}
}

func TestAWeightOfNextToNothingGetsNothing(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo"})
	p.say(&subjects.Shared{Queue: "a", Weight: 5e-324})
	p.submitTo("a", "x", 100, 0)
	p.submitTo("b", "y", 100, 0)
	p.settle()
	if got, want := fmt.Sprint(p.held()), "map[b:24]"; got != want {
		t.Errorf("held = %s, want %s", got, want)
	}
}

func TestWhatAQueueCannotUseTheOthersGet(t *testing.T) {
	p := sharePool(t, Config{})
	p.say(&subjects.Shared{Queue: "a", Weight: 9})
	p.submitTo("a", "x", 3, 0)
	p.submitTo("b", "y", 100, 0)
	p.settle()
	if got, want := fmt.Sprint(p.held()), "map[a:3 b:21]"; got != want {
		t.Errorf("held = %s, want %s", got, want)
	}
}

// A queue that comes late finds all slots taken, by tasks that keep them. It gets what frees until
// it has its share, and some more for a while.
func TestAQueueThatComesLateCatchesUp(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo"})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	p.submitTo("b", "y", 1000, 0)
	most := 0
	for range 60 {
		p.pass(10)
		p.finishOne("a")
		p.settle()
		most = max(most, p.held()["b"])
	}
	if most < 12 || most > 18 {
		t.Errorf("slots of the late queue = %d at most, want 12 to 18 of 24", most)
	}
}

// finishOne ends the oldest attempt of a queue.
func (p *pool) finishOne(queue string) {
	oldest := uint64(math.MaxUint64)
	for _, h := range p.a.facts.Ledger.Hosts() {
		for _, at := range h.Attempts() {
			if at.Job.Shape.Share() == queue {
				oldest = min(oldest, at.ID)
			}
		}
	}
	if at := p.a.facts.Ledger.Attempt(oldest); at != nil {
		p.say(done(at, 10))
	}
}

func TestDeadlinesAtRiskGoFirstUpToABound(t *testing.T) {
	for borrow, want := range map[float64]string{0.5: "map[a:18 b:6]", 1: "map[a:24]", -1: "map[a:12 b:12]"} {
		p := sharePool(t, Config{Policy: "mp", Borrow: borrow})
		p.submitTo("b", "calm", 100, 0)
		p.submitTo("a", "late", 100, time.Minute) // 100 tasks of 10 s cannot be done on fewer than 24 slots
		p.say(&subjects.Fitted{Type: "late", A: 20, Low: 0.05, High: 1, Samples: 1e6})
		p.say(&subjects.Fitted{Type: "calm", A: 20, Low: 0.05, High: 1, Samples: 1e6})
		p.settle()
		if got := fmt.Sprint(p.held()); got != want {
			t.Errorf("borrowing %v: %s, want %s", borrow, got, want)
		}
	}
}

func TestAQueueRunsNoMoreJobsAtOnceThanItMay(t *testing.T) {
	p := sharePool(t, Config{})
	p.say(&subjects.Shared{Queue: "a", Weight: 1, Jobs: 1})
	for i := range 3 {
		p.submitTo("a", fmt.Sprint("x", i), 5, 0)
	}
	var order []string
	for range 4 {
		p.pass(60)
		for _, e := range p.settle() {
			if e, ok := e.(*subjects.Assigned); ok && !slices.Contains(order, e.Job) {
				order = append(order, e.Job)
			}
		}
		if n := p.finish(); n > 5 {
			t.Errorf("tasks at once = %d, want at most 5", n)
		}
	}
	if got := fmt.Sprint(order); got != "[x0 x1 x2]" || len(p.a.facts.Jobs.BySeq) != 0 {
		t.Errorf("order of the jobs = %s with %d open, want [x0 x1 x2], 0", got, len(p.a.facts.Jobs.BySeq))
	}
}

// With one queue, whatever its name and weight, every decision is as without any.
func TestOneQueueChangesNothing(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		run := func(queue string) (text string) {
			rng := rand.New(rand.NewPCG(seed, 1))
			p := sharePool(t, Config{Policy: policy, Pace: PaceOff})
			if queue != "" {
				p.say(&subjects.Shared{Queue: queue, Weight: 7})
			} else {
				p.say(&subjects.PoolResumed{}) // as many entries
			}
			for i := range 12 {
				p.submitTo(queue, fmt.Sprint("job", i), 1+uint32(rng.IntN(9)), time.Duration(rng.IntN(3))*time.Minute)
				for _, e := range p.settle() {
					text += describe([]subjects.Event{e})
				}
				p.pass(1 + rng.IntN(20))
				if rng.IntN(2) == 0 {
					p.finish()
				}
			}
			return text
		}
		if a, b := run(""), run("own"); a != b {
			t.Errorf("%s: without a queue\n%s\nwith one\n%s\nwant the same", policy, a, b)
		}
	}
}

func TestAccountsSurviveARestart(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo"})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	p.submitTo("b", "y", 1000, 0)
	p.settle()
	p.spend(60)
	p.finishOne("a")
	p.settle()
	b, err := p.a.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := New(p.a.facts.Config)
	if err == nil {
		err = restored.Restore(b)
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range p.a.facts.Queues.All() {
		if got := restored.facts.Queues.All()[i]; got.Name != q.Name || got.Slots != q.Slots || q.Slots.Surplus == 0 {
			t.Errorf("queue %s after Restore = %+v, want %+v with a surplus", q.Name, got.Slots, q.Slots)
		}
	}
}

// What a queue has while no other has jobs is no debt to queues that come later.
func TestAQueueOwesNothingForATimeAlone(t *testing.T) {
	p := sharePool(t, Config{Policy: "fifo"})
	p.submitTo("a", "x", 1000, 0)
	p.settle()
	p.submitTo("b", "y", 1000, 0)
	p.spend(10)
	p.say(&subjects.Cancelled{Job: "y"})
	p.spend(300)
	p.submitTo("c", "z", 1000, 0)
	p.settle()
	if owes := p.a.facts.Queues.Get("a").Slots.Surplus; owes > 12*11 {
		t.Errorf("a owes %v slot-seconds, want at most %d: 12 slots for 10 s", owes, 12*11)
	}
}

package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/slotter/facts"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

var allPolicies = slices.Sorted(slices.Values(Policies()))

// Whatever a policy prefers, a batch gives no place and no task twice, and the
// ledger accepts all of it.
func TestNoPolicyGivesAPlaceOrATaskTwice(t *testing.T) {
	for _, policy := range allPolicies {
		t.Run(policy, func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
				p := randomPool(t, rng, policy)
				for range 12 {
					events := p.decide()
					checkTwice(rt, events)
					p.say(events...)
					checkTaken(rt, p.a.facts.Ledger, events)
					p.live(rng)
				}
			})
		})
	}
}

func checkTwice(t *rapid.T, events []subjects.Event) {
	places, tasks := map[string]bool{}, map[string]bool{}
	for _, e := range events {
		e, ok := e.(*subjects.Assigned)
		if !ok {
			continue
		}
		for slot := e.Slot; slot < e.Slot+e.Width; slot++ {
			place := fmt.Sprint(e.Host, " ", slot)
			if places[place] {
				t.Fatalf("place %s is given twice: %s, want once", place, describe(events))
			}
			places[place] = true
		}
		if task := fmt.Sprint(e.Job, e.TaskID); tasks[task] {
			t.Fatalf("task %s is given twice: %s, want once", task, describe(events))
		} else {
			tasks[task] = true
		}
	}
}

func checkTaken(t *rapid.T, s *ledger.State, events []subjects.Event) {
	for _, e := range events {
		e, ok := e.(*subjects.Assigned)
		if !ok {
			continue
		}
		st := s.Job(e.Job).Stages[e.Stage]
		if state, _, _ := st.Task(e.Task); state != ledger.Held || e.Rival && st.Rival(e.Task) == nil {
			t.Fatalf("%s was void, want the task held by it", slotOf(e))
		}
	}
}

// A slot stays empty while a fitting task waits only under mp+, and only for a minute after
// the job last got a slot.
func TestNoPolicyLeavesASlotEmptyForLong(t *testing.T) {
	for _, policy := range allPolicies {
		t.Run(policy, func(t *testing.T) {
			bound := int64(0)
			if policy == "mp+" {
				bound = int64(time.Minute + 5*time.Second)
			}
			leavesNone(t, t, 0x4bf90, policy, bound) // a job behind another one of its kind
			rapid.Check(t, func(rt *rapid.T) { leavesNone(t, rt, rapid.Uint64().Draw(rt, "seed"), policy, bound) })
		})
	}
}

func leavesNone(tb testing.TB, t rapid.TB, seed uint64, policy string, bound int64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	p := narrowPool(tb, rng, policy)
	for range 40 {
		p.settle()
		checkUsed(t, p, bound)
		p.live(rng)
	}
}

func checkUsed(t rapid.TB, p *pool, bound int64) {
	for _, h := range p.a.facts.Hosts.ByName {
		if h.Free() == 0 || h.Residual(1) < tct.MinResidual {
			continue
		}
		for _, j := range p.a.facts.Jobs.BySeq {
			if w := p.waits(j); w && p.a.facts.Now-j.Served > bound {
				t.Fatalf("host %s has %d free slots of %.2f, and job %s waits since %s", h.Life.Name, h.Free(),
					h.Residual(1), j.Life.ID, time.Duration(p.a.facts.Now-j.Served))
			}
		}
	}
}

func (p *pool) waits(j *facts.Job) bool {
	for i, st := range j.Life.Stages {
		var c ledger.Cursor
		if _, more := st.Next(p.a.facts.Now, &c); more && j.Life.Ready(i) {
			return true
		}
	}
	return false
}

// narrowPool has tasks that fit wherever a slot is free.
func narrowPool(tb testing.TB, rng *rand.Rand, policy string) *pool {
	p := newPool(tb, Config{Policy: policy})
	for i := range 3 {
		p.say(&subjects.Fitted{Type: fmt.Sprint("type-", i), A: 10, B: -rng.Float64() * 4, C: rng.Float64() * 5, Low: 0.05, High: 1, Samples: 1e6})
	}
	for i := range 1 + rng.IntN(5) {
		slots := 1 + rng.IntN(4)
		p.join(fmt.Sprint("host-", i), uint32(slots), 1000, rng.Float64()*float64(slots)*1.2)
	}
	for i := range 1 + rng.IntN(6) {
		deadline := time.Duration(rng.IntN(2)*(1+rng.IntN(300))) * time.Second
		st := tasks("only", uint32(1+rng.IntN(20)))
		st.Retries = 100
		p.submitSpec(fmt.Sprint("job-", i), deadline, spec.Job{Name: "job", Type: fmt.Sprint("type-", rng.IntN(4)), Stages: []spec.Stage{st}})
	}
	return p
}

// Under mp+ a job that every slot slows, while others that do not keep coming, gets one
// within starving and the time of one task.
func TestMPPlusStarvesNoJob(t *testing.T) {
	p := newPool(t, Config{Policy: "mp+"})
	p.say(&subjects.Fitted{Type: "flat", A: 10, Low: 0.05, High: 1, Samples: 1e6},
		&subjects.Fitted{Type: "steep", A: 100, B: -3, Low: 0.05, High: 1, Samples: 1e6})
	p.join("good", 1, 1000, 1)
	p.submitSpec("long", 0, spec.Job{Name: "job", Type: "flat", Stages: []spec.Stage{tasks("only", 1)}})
	p.settle() // it never ends
	p.join("bad", 1, 1000, 0.3)
	p.submitSpec("steep", 0, spec.Job{Name: "job", Type: "steep", Stages: []spec.Stage{tasks("only", 1)}})
	p.submitSpec("flat", 0, spec.Job{Name: "job", Type: "flat", Stages: []spec.Stage{tasks("only", 10_000)}})
	for waited := 0; waited < 620; waited += 10 {
		for _, e := range p.turn() {
			if e, ok := e.(*subjects.Assigned); ok && e.Job == "steep" {
				if e.Why.Rule != "mp+wait" || waited < 600 {
					t.Errorf("after %d s: %s, want by mp+wait after at least 600 s", waited, slotOf(e))
				}
				return
			}
		}
		p.pass(10)
		for _, at := range slices.Clone(p.a.facts.Ledger.Host("bad").Attempts()) {
			p.say(done(at, 10))
		}
	}
	t.Error("the steep job waits for ever, want it assigned")
}

// A second task at R = 0.55 adds a tenth of a task. mp+ leaves that slot empty, but not for tasks
// that are over sooner than the wait for a better one.
func TestShortTasksFillWhatLongOnesLeaveEmpty(t *testing.T) {
	// By the seconds of a task on an idle core.
	for seconds, want := range map[float64]int{30: 1, 2: 1, 0.2: 2} {
		p := newPool(t, Config{Policy: "mp+"})
		p.say(&subjects.Fitted{Type: "cpu", A: 10 * seconds, B: -math.Ln10, Low: 0.05, High: 1, Samples: 1e6})
		p.join("usual", 1, 1000, 1)
		p.join("host", 2, 1000, 1.1)
		p.submitSpec("job", 0, spec.Job{Name: "job", Type: "cpu", Stages: []spec.Stage{tasks("only", 10)}})
		p.settle()
		if got := len(p.a.facts.Ledger.Host("host").Attempts()); got != want {
			t.Errorf("%d tasks of %v s on a host with 1.1 idle cores, want %d", got, seconds, want)
		}
	}
}

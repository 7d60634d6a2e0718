package slotter

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
)

// mischief is an event that a broken writer might have written, with numbers at which
// careless arithmetic breaks.
func mischief(p *pool, rng *rand.Rand) subjects.Event {
	host, job := fmt.Sprint("host-", rng.IntN(6)), fmt.Sprint("job-", rng.IntN(9))
	term := rng.Uint64N(p.seq + 2)
	if h := p.a.facts.Ledger.Host(host); h != nil && rng.IntN(4) > 0 {
		term = h.Term
	}
	f := subjects.Fact{TaskID: subjects.TaskID{Stage: rng.Uint32N(4), Task: rng.Uint32N(7)}, Term: term, Attempt: rng.Uint64N(p.seq + 2)}
	run := subjects.Run{Seconds: 1e12, CPU: 1e12, Residual: rng.Float64()}
	return []subjects.Event{
		&subjects.Assigned{Host: host, Job: job, TaskID: f.TaskID, Term: term, Slot: rng.Uint32N(9), Width: 1 + rng.Uint32N(2)},
		&subjects.Finished{Host: host, Job: job, Fact: f, Run: run},
		&subjects.Failed{Host: host, Job: job, Fact: f, Run: run, Reason: string(make([]byte, 1<<13))},
		&subjects.Evicted{Host: host, Job: job, Fact: f, Run: run},
		&subjects.Revoked{Host: host, Job: job, Attempt: f.Attempt},
		&subjects.OutputLost{Host: host, Job: job, Stage: f.Stage, Tasks: []uint32{f.Task, math.MaxUint32}},
		&subjects.OutputMissing{Host: host, Job: job, Fact: f, Folder: string(make([]byte, 1<<13))},
		&subjects.Lost{Host: host, Term: term}, &subjects.Left{Host: host, Term: term}, &subjects.Paused{Host: host}, &subjects.Resumed{Host: host},
		&subjects.Joined{Host: host, Slots: rng.Uint32N(7), Memory: rng.Int64N(9)},
		&subjects.Cancelled{Job: job}, &subjects.Retried{Job: job}, &subjects.JobFailed{Job: job}, &subjects.JobFinished{Job: job},
		&subjects.Fitted{Type: fmt.Sprint("type-", rng.IntN(5)), A: math.MaxFloat64, B: 700, C: 0, D: -700, Low: 1},
		&subjects.Fitted{Type: fmt.Sprint("type-", rng.IntN(5))},
		&subjects.PoolPaused{}, &subjects.PoolResumed{}, &subjects.PoolResumed{}, &subjects.Led{Actor: Name, Partition: "other"},
	}[rng.IntN(22)]
}

// Whatever stands in the log, the slotter decides what can be written, and
// comes to an end with it.
func TestAHostileLogIsSurvived(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := randomPool(t, rng, allPolicies[rng.IntN(len(allPolicies))])
		for range 40 {
			for range rng.IntN(6) {
				p.say(mischief(p, rng))
			}
			p.sample(&subjects.Usage{Host: "host-0", Idle: float64(rng.IntN(3)) * subjects.MaxCores})
			p.sample(&subjects.Beat{Host: "host-1", Term: rng.Uint64N(p.seq + 1), Seq: rng.Uint64(), Attempts: []uint64{rng.Uint64N(p.seq + 2)}})
			p.now = p.now.Add(time.Duration(rng.IntN(4000)) * time.Millisecond)
			for _, e := range p.settle() {
				if _, err := subjects.Encode(subjects.DefaultPool, e); err != nil {
					rt.Fatalf("Encode(%T) of a decision = %v, want no error", e, err)
				}
			}
		}
		if _, err := p.a.Snapshot(); err != nil {
			rt.Fatal(err)
		}
	})
}

package slotter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lull/subjects"
	"lull/subjects/spec"
)

// A task of two cores gets its slots although brief tasks could always wait for every slot that
// frees. It takes no longer than the hosts need to empty one.
func TestBriefTasksThatWaitDoNotStarveWideOnes(t *testing.T) {
	for _, policy := range []string{"fifo", "edf", "mp", "mp+"} {
		t.Run(policy, func(t *testing.T) {
			for seed := range uint64(50) {
				if n := untilWide(t, policy, seed); n > 100 {
					t.Errorf("seed %d: the wide task was given after %d ends, want at most 100", seed, n)
				}
			}
		})
	}
}

// untilWide counts the tasks that end until the wide one is given.
func untilWide(t *testing.T, policy string, seed uint64) (ends int) {
	rng := rand.New(rand.NewPCG(seed, 0))
	p := newPool(t, Config{Policy: policy})
	p.say(&subjects.Fitted{Type: "tiny", A: 0.002, Low: 0.05, High: 1, Samples: 1e6})
	for i := range 3 {
		p.joinAhead(fmt.Sprint("host-", i), 2, 2, 1000, 2)
	}
	submit := func(id, kind string, n, cpu uint32, deadline time.Duration) {
		st := tasks("only", n)
		st.CPU = cpu
		p.submitSpec(id, deadline, spec.Job{Name: "job", Type: kind, Stages: []spec.Stage{st}})
	}
	submit("first", "tiny", 12, 1, 0)
	p.settle()
	submit("wide", []string{"tiny", "unknown"}[seed%2], 1, 2, 5*time.Second)
	submit("more", "tiny", 1_000_000, 1, 0)
	for ; ends < 1000; ends++ {
		for _, e := range p.turn() {
			if e, ok := e.(*subjects.Assigned); ok && e.Job == "wide" {
				return ends
			}
		}
		hosts := slices.Clone(p.a.facts.Ledger.Hosts())
		h := hosts[rng.IntN(len(hosts))]
		if attempts := h.Attempts(); len(attempts) > 0 {
			p.say(done(attempts[rng.IntN(min(2, len(attempts)))], 0.002))
		}
	}
	return ends
}

package placer

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/forged"
)

// Whatever stands in the log and in telemetry, the placer decides what can be written, keeps no more than there is
// to know, and places the next job.
func TestAHostileLogIsSurvived(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		p := newPool(t)
		forger := forged.New(seed, p.a.State())
		p.submit("first", "sort", "")
		for range 20 {
			for range rng.IntN(20) {
				p.say(forger.Event())
			}
			for range rng.IntN(20) {
				if u, ok := forger.Sample().(*subjects.Usage); ok {
					p.uses[u.Host] = *u
				}
			}
			p.pass(1 + rng.IntN(3))
			p.settle(rt)
			p.a.answerLinks(must(subjects.Marshal(&subjects.LinksAsk{Hosts: true})))
		}
		if waiting, open := len(p.a.notBefore), p.a.State().LiveJobs().Len(); waiting > open {
			rt.Errorf("pauses of %d jobs are kept, want no more than the %d open jobs", waiting, open)
		}
		b, err := p.a.Snapshot()
		if err == nil {
			err = New(Config{}).Restore(b)
		}
		if err != nil {
			rt.Fatal(err)
		}
		p.mend()
		p.submit("last", "after", "fast")
		if e := p.settle(rt)["last"]; e == nil || len(e.Hosts) == 0 {
			rt.Errorf("placement of the next job = %+v, want one on hosts", e)
		}
	})
}

// settle has the placer decide until nothing is left to decide. It returns the last placement of each job.
func (p *pool) settle(rt *rapid.T) map[string]*subjects.Placed {
	all := map[string]*subjects.Placed{}
	for range 200 {
		e := p.word()
		if e == nil {
			return all
		}
		if _, err := subjects.Encode(subjects.DefaultPool, e); err != nil {
			rt.Fatalf("Encode(%+v) of a decision = %v, want no error", e, err)
		}
		p.say(e)
		all[e.Job] = e
	}
	rt.Fatal("the placer decides without end, want it to rest")
	return nil
}

// mend has operators and agents say again what they know, after others said otherwise.
func (p *pool) mend() {
	p.say(&subjects.PoolResumed{}, &subjects.Wired{Racks: []subjects.WiredRack{
		{WiredLink: subjects.WiredLink{Name: "fast", Up: 100e6, Down: 100e6}}, {WiredLink: subjects.WiredLink{Name: "slow", Up: 10e6, Down: 10e6}},
	}})
	for _, host := range []string{"fast-1", "fast-2", "slow-1", "slow-2"} {
		p.say(&subjects.Joined{Host: host, Cores: 2, Slots: 2, Memory: 1 << 30, Labels: []string{"rack=" + host[:4]}}, &subjects.Resumed{Host: host})
		p.uses[host] = subjects.Usage{Host: host, Cores: 2, Idle: 2}
	}
	p.say(
		&subjects.Fitted{Type: "after:map", A: 20, Samples: 9, High: 1, Size: 1e9, Least: 1e9, Most: 1e9, Gives: 1, Yield: 1e9},
		&subjects.Fitted{Type: "after:reduce", A: 20, Samples: 9, High: 1},
		&subjects.Led{Actor: Name, Partition: subjects.WholePool, Instance: "me", Format: subjects.Format})
	p.term = p.seq
	p.pass(12)
}

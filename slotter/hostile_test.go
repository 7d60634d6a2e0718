package slotter

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/subjects"
	"lull/subjects/forged"
	"lull/subjects/spec"
)

// Whatever stands in the log and in telemetry, and whatever is asked, the slotter decides what can be
// written, comes to an end with it, and runs the next job.
func TestAHostileLogIsSurvived(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		p := randomPool(t, rng, allPolicies[rng.IntN(len(allPolicies))])
		forger := forged.New(seed, p.a.facts.Ledger)
		for range 40 {
			for range rng.IntN(6) {
				p.say(forger.Event())
				p.sample(forger.Sample())
			}
			for _, q := range questions {
				p.a.Answer(q.ask, forger.Question(q.empty()))
			}
			p.now = p.now.Add(time.Duration(rng.IntN(4000)) * time.Millisecond)
			p.settleWritable(rt)
		}
		again, err := New(Config{})
		if err != nil {
			rt.Fatal(err)
		}
		if err := again.Restore(snapshotOf(rt, p.a)); err != nil {
			rt.Fatalf("Restore(a snapshot) = %v, want no error", err)
		}
		p.runsNext(rt)
	})
}

// questions are empty ones of each kind that the slotter answers.
var questions = []struct {
	ask   string
	empty func() any
}{
	{subjects.AskOutputs, func() any { return new(subjects.OutputsAsk) }},
	{subjects.AskDocument, func() any { return new(subjects.DocumentAsk) }},
	{subjects.AskWanted, func() any { return new(subjects.WantedAsk) }},
	{subjects.AskKept, func() any { return new(subjects.KeptAsk) }},
	{subjects.AskDataNodes, func() any { return new(subjects.DataNodesAsk) }},
	{subjects.AskUsage, func() any { return new(subjects.UsageAsk) }},
	{subjects.AskHosts, func() any { return new(subjects.HostsAsk) }},
	{subjects.AskModels, func() any { return new(subjects.ModelsAsk) }},
	{subjects.AskTenants, func() any { return new(subjects.TenantsAsk) }},
	{subjects.AskQueues, func() any { return new(subjects.QueuesAsk) }},
	{subjects.AskJob, func() any { return new(subjects.JobAsk) }},
}

// settleWritable settles, and checks that the log takes each decision.
func (p *pool) settleWritable(rt *rapid.T) {
	var events []subjects.Event
	for range 1000 {
		if events = p.turn(); len(events) == 0 {
			return
		}
		for _, e := range events {
			if _, err := subjects.Encode(subjects.DefaultPool, e); err != nil {
				rt.Fatalf("Encode(%T) of a decision = %v, want no error", e, err)
			}
		}
	}
	rt.Fatalf("the slotter decides without end, want it to rest; at last %T %+v", events[0], events[0])
}

// runsNext runs a job to its end on a host that joins, after the others were cancelled.
func (p *pool) runsNext(rt *rapid.T) {
	for _, j := range slices.Collect(p.a.facts.Ledger.LiveJobs().All()) {
		p.say(&subjects.Cancelled{Job: j.ID})
	}
	p.say(&subjects.PoolResumed{}, &subjects.Shared{Queue: spec.DefaultQueue})
	st := tasks("s", 2)
	st.Where = []string{"fresh=yes"}
	p.joinAhead("fresh", 2, 0, 1<<30, 2, "fresh=yes")
	p.submit("next", 0, st)
	for range 60 {
		p.settleWritable(rt)
		p.pass(1)
		for _, at := range slices.Clone(p.a.facts.Ledger.Host("fresh").Attempts()) {
			p.say(done(at, 1))
		}
	}
	if j := p.a.facts.Ledger.Job("next"); !j.Phase.Ended() {
		rt.Errorf("the next job is %s after a minute, want it finished", j.Phase)
	}
}

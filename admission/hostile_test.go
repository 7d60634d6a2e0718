package admission

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
	"lull/subjects/forged"
)

// Whatever clients send and hosts say, admission decides what can be written
// (pool.say encodes it), answers every message, and comes to an end with it.
func TestAnyMessagesAreDealtWith(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		seed := rapid.Uint64().Draw(rt, "seed")
		rng := rand.New(rand.NewPCG(seed, 0))
		p := newDriver(t, Config{Margin: rng.Float64()})
		forger := forged.New(seed, p.a.facts.Ledger)
		for range 60 {
			p.odd(rng)
			p.forge(forger)
			p.now = p.now.Add(time.Duration(rng.IntN(5000)) * time.Millisecond)
			p.settle()
		}
		p.now = p.now.Add(time.Minute)
		p.settle()
		p.admitsNext(rt)
		for inbox := uint64(1); inbox <= p.inbox; inbox++ {
			if _, ok := p.replies[inbox]; !ok {
				rt.Fatalf("message %d of %d has no answer", inbox, p.inbox)
			}
		}
	})
}

// odd does something random to the pool.
func (p *driver) odd(rng *rand.Rand) {
	host, id := fmt.Sprint("host-", rng.IntN(3)), fmt.Sprint("m", rng.IntN(20))
	target := "nobody"
	if jobs := p.a.facts.Ledger.Jobs(); jobs.Len() > 0 {
		target = jobs.At(rng.IntN(jobs.Len())).ID
	}
	submissions := [][]byte{
		job(1+rng.IntN(1000), ""), job(1+rng.IntN(40), fmt.Sprint(1+rng.IntN(90), "s")), job(1_000_000, "1h"),
		job(1, "9999-01-01T00:00:00Z"), job(1, "2262-04-11T23:47:16Z"), job(1, "1971-01-01T00:00:00Z"),
		[]byte("name: x"), []byte("]"), {0xc1}, nil, []byte(`{"name":"x","stages":[]}`),
	}
	switch rng.IntN(8) {
	case 0, 1, 2, 3, 4:
		p.request(actors.Request{Body: submissions[rng.IntN(len(submissions))], Client: "me", MessageID: id})
	case 5:
		verb := []string{"cancel", "retry", "other"}[rng.IntN(3)]
		p.request(actors.Request{Subject: subjects.DefaultPool.Request(verb), Body: []byte(`{"job":"` + target + `"}`)})
	case 6:
		p.join(host, rng.Float64()*4)
	case 7:
		p.use(host, []float64{0, 1e-300, 4, subjects.MaxCores}[rng.IntN(4)])
	}
}

// forge says what a broken writer may have written, and samples. It leaves out events that answer messages of the
// inbox: nobody would answer those a second time.
func (p *driver) forge(forger *forged.Forger) {
	p.a.Step(actors.Input{Now: p.now, Sample: forger.Sample()})
	switch e := forger.Event().(type) {
	case *subjects.Led, *subjects.Voided, *subjects.Submitted, *subjects.Rejected, *subjects.Cancelled, *subjects.Retried, *subjects.TasksCancelled:
	default:
		p.say(e)
	}
}

// admitsNext submits a job to a pool in which operators and agents have said again what they know, and checks that
// an admission which goes on from a snapshot decides on it.
func (p *driver) admitsNext(rt *rapid.T) {
	b, err := p.a.Snapshot()
	if err == nil {
		err = p.a.Restore(b)
	}
	if err != nil {
		rt.Fatal(err)
	}
	p.say(&subjects.PoolResumed{})
	p.join("fresh", 4)
	p.say(&subjects.Resumed{Host: "fresh"})
	p.request(actors.Request{Body: []byte("{name: next, stages: [{name: s, command: x, estimate: 1s}]}"), Client: "me", MessageID: "next"})
	for range 60 {
		p.settle()
		p.now = p.now.Add(time.Second)
		p.use("fresh", 4)
	}
	if got := p.replies[p.inbox].Verdict; got != subjects.VerdictAdmitted {
		rt.Errorf("verdict on the next job = %+v, want it admitted", p.replies[p.inbox])
	}
}

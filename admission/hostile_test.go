package admission

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lull/actors"
	"lull/subjects"
)

// Whatever clients send and hosts say, admission decides what can be written
// (pool.say encodes it), answers every message, and comes to an end with it.
func TestAnyMessagesAreDealtWith(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 0))
		p := newDriver(t, Config{Margin: rng.Float64()})
		for range 60 {
			p.odd(rng)
			p.now = p.now.Add(time.Duration(rng.IntN(5000)) * time.Millisecond)
			p.settle()
		}
		p.now = p.now.Add(time.Minute)
		p.settle()
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
	switch rng.IntN(10) {
	case 0, 1, 2, 3, 4:
		p.request(actors.Request{Body: submissions[rng.IntN(len(submissions))], Client: "me", MessageID: id})
	case 5:
		verb := []string{"cancel", "retry", "other"}[rng.IntN(3)]
		p.request(actors.Request{Subject: subjects.DefaultPool.Request(verb), Body: []byte(`{"job":"` + target + `"}`)})
	case 6:
		p.join(host, rng.Float64()*4)
	case 7:
		p.use(host, []float64{0, 1e-300, 4, subjects.MaxCores}[rng.IntN(4)])
	case 8:
		p.say(&subjects.Fitted{Type: "job", A: []float64{0, 1e-300, 5, math.MaxFloat64}[rng.IntN(4)], B: -700, Low: 0, High: 1})
	case 9:
		p.say([]subjects.Event{
			&subjects.Lost{Host: host, Term: rng.Uint64N(p.seq)}, &subjects.Paused{Host: host}, &subjects.Resumed{Host: host},
			&subjects.JobFailed{Job: target}, &subjects.Admitted{Job: target}, &subjects.Led{Actor: Name, Partition: "all"},
		}[rng.IntN(6)])
	}
}

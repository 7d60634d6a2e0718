package interference

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"lull/test/bench/live/stage"
	"lull/test/steal"
)

// trial is a run of the main table.
type trial struct {
	gauge
	f     *interfering
	cases []*condition
	begin time.Time
	again int // shots that were repeated because they were disturbed
	kept  int // shots that were disturbed each time
}

// condition is a load with a kind of batch work. shots[way][round].
type condition struct {
	load, rate float64 // share of the machine, requests a second
	kind       string
	shots      map[string][]measurement
}

// calibrate finds the rates that load the machine so much.
func (t *trial) calibrate(ctx context.Context, loads []float64) error {
	for _, load := range loads {
		rate, err := t.rateOf(ctx, load)
		if err != nil {
			return err
		}
		for _, kind := range t.f.batch {
			t.cases = append(t.cases, &condition{load: load, rate: rate, kind: kind, shots: map[string][]measurement{}})
		}
	}
	return nil
}

// rateOf finds the requests a second at which server and users together use a
// share of the machine. What a request costs depends on the load: a server that
// is seldom idle wakes up less often.
func (s gauge) rateOf(ctx context.Context, load float64) (rate float64, err error) {
	rate = load * cores() / 1.2e-3
	for _, seconds := range []float64{0.8, 1, 1.5} {
		o := stage.Order{Seed: 99, Phases: []stage.Phase{{Rate: rate, Seconds: seconds}}}
		found, err := s.measure(ctx, stage.Alone, "", o)
		if err != nil {
			return 0, err
		}
		rate = load * cores() / (found.states.running / max(found.rate, 1))
	}
	return rate, nil
}

// round measures each way in each condition once, in random order: what else
// happens on the machine meets all of them alike. All ways of a round meet the
// same arrivals.
func (t *trial) round(ctx context.Context, n int) error {
	rng := rand.New(rand.NewPCG(t.f.seed, uint64(n)))
	for i, c := range t.cases {
		o := stage.Order{Seed: t.f.seed<<16 + uint64(i)<<8 + uint64(n), Phases: []stage.Phase{{Rate: c.rate, Seconds: t.f.seconds}}}
		for _, k := range rng.Perm(len(t.f.ways)) {
			way := t.f.ways[k]
			found, err := t.steady(ctx, way, c.kind, o)
			if err != nil {
				return err
			}
			c.shots[way] = append(c.shots[way], found)
			fmt.Fprintf(os.Stderr, "%4.0fs round %d, %2.0f %% %-6s %-9s p50 %7.2f  p99 %8.2f ms, batch %.2f cores, others %.2f, stolen %.1f %%\n",
				time.Since(t.begin).Seconds(), n+1, 100*c.load, c.kind, way, found.p50, found.p99, found.batch, found.others, 100*found.stolen)
		}
	}
	return nil
}

// steady repeats a measurement while others took CPU, guests beside this
// machine or processes on it.
func (t *trial) steady(ctx context.Context, way, kind string, o stage.Order) (found measurement, err error) {
	for range t.f.tries {
		if found, err = t.measure(ctx, way, kind, o); err != nil || !found.disturbed() {
			return found, err
		}
		t.again++
	}
	t.again--
	t.kept++
	return found, nil
}

func (s measurement) disturbed() bool { return s.stolen > steal.Most || s.others > othersMost }

package guard

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

const every = 25 * time.Millisecond

// bench drives a Guard through virtual time.
type bench struct {
	*Guard
	now time.Time
	s   Sample
}

func begin(cfg Config) *bench {
	b := &bench{Guard: New(cfg), now: time.Unix(1000, 0)}
	b.s = Sample{Tasks: 4, Sensed: true, MemoryFree: 1 << 40, MemoryBatch: 1 << 30, DiskRate: 100 << 20}
	b.Step(b.now, b.s)
	return b
}

// run simulates a primary of so many cores that waits for so many seconds per CPU second. It
// returns the orders.
func (b *bench) run(d time.Duration, cores, delay float64) (all []Orders) {
	for ; d > 0; d -= every {
		all = append(all, b.one(cores, delay))
	}
	return all
}

func (b *bench) one(cores, delay float64) Orders {
	ran := cores * every.Seconds()
	b.s.Ran, b.s.Delayed = b.s.Ran+ran, b.s.Delayed+ran*delay
	b.now = b.now.Add(every)
	return b.Step(b.now, b.s)
}

func last(all []Orders) Orders { return all[len(all)-1] }

func eight() Config { return Config{Cores: 8, Fewer: true, Budget: 0.1} }

func TestBudgetThatHoldsCostsNothing(t *testing.T) {
	b := begin(eight())
	for i, o := range b.run(time.Minute, 4, 0.099) {
		if !o.Steady(Orders{Cores: 8}) || o.Why != "" {
			t.Fatalf("step %d: %+v within the budget, want all 8 cores", i, o)
		}
	}
}

func TestGraveExcessShrinksAtOnceAndSlightLater(t *testing.T) {
	for _, c := range []struct {
		delay       float64
		first, most time.Duration
	}{{2, 3 * every, 150 * time.Millisecond}, {0.2, 3 * every, 500 * time.Millisecond}} {
		b := begin(eight())
		took := time.Duration(0)
		for b.one(2, c.delay).Cores == 8 {
			if took += every; took > time.Minute {
				t.Fatalf("delay %v: 8 cores for a minute, want fewer", c.delay)
			}
		}
		if took+every < c.first || took+every > c.most {
			t.Errorf("delay %v: fewer cores after %v, want %v to %v", c.delay, took+every, c.first, c.most)
		}
	}
}

func TestOneLongWaitIsNoEvidence(t *testing.T) {
	b := begin(eight())
	for range 100 { // a wait of a second, every ten
		b.s.Delayed++
		if o := last(b.run(10*time.Second, 0.5, 0)); o.Cores != 8 {
			t.Fatalf("%+v after single waits, want all 8 cores", o)
		}
	}
}

func TestLastMeansComesAfterSecondsInVain(t *testing.T) {
	b := begin(eight())
	calm := time.Duration(0)
	for _, o := range b.run(sustained-time.Second, 2, 2) {
		if calm += every; o.Frozen {
			t.Fatalf("frozen after %v, want at least %v", calm, sustained)
		}
	}
	if o := last(b.run(0+every, 2, 2)); o.Cores != 1 || !strings.HasPrefix(o.Why, "tasks may use 1 of 8 cores") {
		t.Fatalf("orders = %+v, want one core, and why", o)
	}
	if o := last(b.run(sustained, 2, 2)); !o.Frozen || !strings.HasPrefix(o.Why, "tasks are stopped") {
		t.Errorf("orders = %+v, want all frozen, and why", o)
	}
}

func TestATaskThatIsFrozenTooLongIsEvicted(t *testing.T) {
	b := begin(eight())
	evicted := 0
	for start := b.now; b.now.Sub(start) < 10*time.Minute && b.s.Tasks > 0; {
		delay := 2.0
		if b.orders.Frozen {
			delay = 0 // nothing delays it
		}
		if b.one(2, delay).Evict {
			evicted++
			b.s.Tasks--
		}
	}
	if evicted != 4 {
		t.Fatalf("evicted in ten minutes of freezing = %d, want 4", evicted)
	}
	if o := last(b.run(2*every, 2, 0)); o.Frozen {
		t.Errorf("%+v with no task left, want it not frozen", o)
	}
}

func TestWithoutBudgetOrSensorTheKernelIsLeftAlone(t *testing.T) {
	cfg := eight()
	cfg.Budget = 0
	if o := last(begin(cfg).run(time.Minute, 4, 5)); o.Cores != 8 || o.Frozen {
		t.Errorf("%+v without a budget, want all 8 cores", o)
	}
	b := begin(eight())
	b.s.Sensed = false
	if o := last(b.run(time.Minute, 4, 5)); o.Cores != 8 || o.Frozen {
		t.Errorf("%+v without a sensor, want all 8 cores", o)
	}
}

func TestCountersThatBeginAnewAreNoDelay(t *testing.T) {
	b := begin(eight())
	for range 50 {
		b.s.Waits = Waits{Ran: 1, Delayed: 1000}
		b.run(every, 2, 0)
		b.s.Waits = Waits{}
		if o := last(b.run(every, 2, 0)); o.Cores != 8 {
			t.Fatalf("%+v after counters fell, want all 8 cores", o)
		}
		b.now = b.now.Add(time.Hour) // nor what grew in a gap
	}
}

// Whatever the primary does: harvest and freezing do not flap, nothing stays
// frozen for ever, and when all is calm batch work gets everything back.
func TestRandomTraces(t *testing.T) {
	for range 60 {
		seed := rand.Uint64()
		r := rand.New(rand.NewPCG(seed, 1))
		cfg := Config{Cores: 1 + r.IntN(40), Fewer: r.IntN(4) > 0, Budget: 0.02 + r.Float64()/5}
		b := begin(cfg)
		var turns []time.Time // given back, then taken again
		gave, frozen := false, time.Duration(0)
		for range 40 {
			cores, delay, length := r.Float64()*float64(cfg.Cores), r.ExpFloat64()*cfg.Budget*3, time.Duration(r.IntN(20_000))*time.Millisecond
			answers := r.IntN(2) == 0 // fewer cores help
			for ; length > 0; length -= every {
				suffered := delay
				if o := b.orders; o.Frozen {
					suffered = 0
				} else if answers {
					suffered *= float64(o.Cores) / float64(cfg.Cores)
				}
				before, o := b.orders, b.one(cores, suffered)
				if less := o.Cores < before.Cores || (o.Frozen && !before.Frozen); less && gave {
					turns, gave = append(turns, b.now), false
				} else if o.Cores > before.Cores || (before.Frozen && !o.Frozen) {
					gave = true
				}
				if frozen += every; !o.Frozen {
					frozen = 0
				}
				if frozen > calmMost+2*every {
					t.Fatalf("seed %d: frozen for %v in one piece, want at most %v", seed, frozen, calmMost+2*every)
				}
				if o.Cores < 1 || o.Cores > cfg.Cores {
					t.Fatalf("seed %d: %+v, want 1 to %d cores", seed, o, cfg.Cores)
				}
			}
		}
		const k = 8 // per minute
		for i := range turns {
			if i >= k && turns[i].Sub(turns[i-k]) < time.Minute {
				t.Fatalf("seed %d: more than %d turns in the minute before %v, want fewer", seed, k, turns[i].Sub(time.Unix(1000, 0)))
			}
		}
		if o := last(b.run((steps+2)*calmMost, 1, 0)); o.Cores != cfg.Cores || o.Frozen {
			t.Fatalf("seed %d: %+v after long calm, want all cores", seed, o)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	g := begin(Config{Cores: 64, Fewer: true, Budget: 0.1, Reserve: 1 << 30, Disk: true})
	for b.Loop() {
		g.s.MemoryStall += 0.001
		g.s.DiskStall += 0.01
		g.one(8, 0.3)
	}
}

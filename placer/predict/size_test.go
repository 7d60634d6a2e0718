package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/test/papers/placing"
	"lull/test/papers/twin"
)

// spread takes n hosts of each of the first racks.
func spread(n, of int) (candidate []int) {
	for r := range of {
		for h := range n {
			candidate = append(candidate, 40*r+h)
		}
	}
	return candidate
}

func sort160() *predict.Application {
	return &predict.Application{Stages: []predict.Stage{
		{Tasks: 2500, Input: 64 * mb, Gives: 1, Curve: flat(2)},
		{From: []predict.From{{Stage: 0}}, Tasks: 160, Gives: 1, Curve: flat(10)},
	}}
}

// TestBundles: on pools where a task makes far more requests than it may at once, what a task draws in
// proportion is close to what it draws in turn.
func TestBundles(t *testing.T) {
	const seeds, most = 40, 0.05
	sum, worst := 0.0, 0.0
	for seed := range uint64(seeds) {
		rng := rand.New(rand.NewPCG(seed, 11))
		s := &predict.Snapshot{Tree: &topology.Tree{}}
		for r := range 2 + rng.IntN(5) {
			up := (20 + 100*rng.Float64()) * mb
			s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: string(rune('a' + r)), Up: up, Down: up * (0.7 + 0.6*rng.Float64())})
			for h := range 1 + rng.IntN(8) {
				s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: string(rune('a'+r)) + string(rune('0'+h)), Rack: r, Out: 125 * mb, In: 125 * mb})
				s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 0.5 + 2*rng.Float64()})
			}
		}
		var all []int
		for h := range s.Hosts {
			all = append(all, h)
		}
		app := mapReduce(4*len(all)+rng.IntN(50), 1+rng.IntN(2*len(all)), 64*mb)
		got, want := seconds(t, app, s, all...), twin.Seconds(app, s, all)
		err := math.Abs(got-want) / want
		sum, worst = sum+err, max(worst, err)
		if !(err <= most) {
			t.Errorf("seed %d: predicted %v s, the twin says %v: %.1f %%", seed, got, want, 100*err)
		}
	}
	t.Logf("mean %.2f %%, worst %.2f %%", 100*sum/seeds, 100*worst)
}

func TestPredictDoesNotAllocate(t *testing.T) {
	for name, app := range map[string]*predict.Application{"sort": sort160(), "36 stages": placing.Wide()} {
		p, err := predict.New(app, placing.Sorting().Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		candidate := spread(10, 8)
		p.Predict(candidate)
		if n := testing.AllocsPerRun(5, func() { p.Predict(candidate) }); n > 0 {
			t.Errorf("%s: Predict allocates %v times, want 0", name, n)
		}
	}
}

func BenchmarkPredict(b *testing.B) {
	for _, bench := range []struct {
		name      string
		app       *predict.Application
		candidate []int
	}{
		{"sort/20x4", sort160(), spread(4, 20)},
		{"sort/8x10", sort160(), spread(10, 8)},
		{"dag36/8x10", placing.Wide(), spread(10, 8)},
		{"dag36/20x4", placing.Wide(), spread(4, 20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p, err := predict.New(bench.app, placing.Sorting().Snapshot)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p.Predict(bench.candidate)
			}
		})
	}
}

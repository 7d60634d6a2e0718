package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/test/papers/twin"
)

// racks is the pool of TARA's evaluation as docs/papers.md declares it: 20 racks of 40 hosts, uplinks
// of 200 to 800 Mbit/s.
func racks() *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r := range 20 {
		up := float64(800-100*(r%7)) * 1e6 / 8
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: string(rune('a' + r)), Up: up, Down: up})
		for h := range 40 {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: string(rune('a'+r)) + string(rune('0'+h)), Rack: r, Out: 125 * mb, In: 125 * mb, Disk: 100 * mb})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	return s
}

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

// wide has as many stages as the largest of the TPC-DS queries.
func wide() *predict.Application {
	rng := rand.New(rand.NewPCG(36, 0))
	app := &predict.Application{}
	for i := range 36 {
		s := predict.Stage{Tasks: 1 + rng.IntN(300), Gives: 0.3 + 0.5*rng.Float64(), Curve: flat(1 + 5*rng.Float64())}
		for j := max(0, i-6); j < i; j++ {
			if rng.IntN(3) == 0 {
				kind := predict.Part
				if app.Stages[j].Tasks < 8 {
					kind = predict.All
				}
				s.From = append(s.From, predict.From{Stage: j, Kind: kind})
			}
		}
		if len(s.From) == 0 {
			s.Input = 32 * mb
		}
		app.Stages = append(app.Stages, s)
	}
	return app
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
	for name, app := range map[string]*predict.Application{"sort": sort160(), "36 stages": wide()} {
		p, err := predict.New(app, racks())
		if err != nil {
			t.Fatal(err)
		}
		candidate := spread(10, 8)
		p.Predict(candidate)
		if n := testing.AllocsPerRun(5, func() { p.Predict(candidate) }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
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
		{"dag36/8x10", wide(), spread(10, 8)},
		{"dag36/20x4", wide(), spread(4, 20)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			p, err := predict.New(bench.app, racks())
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				p.Predict(bench.candidate)
			}
		})
	}
}

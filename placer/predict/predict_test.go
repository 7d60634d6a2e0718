package predict_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/subjects/tct"
	"lull/test/papers/twin"
)

const mb = 1e6

// flat takes so many seconds on an idle core, and conserves work.
func flat(seconds float64) *tct.Curve {
	return tct.Default(time.Duration(seconds * float64(time.Second)))
}

// pool is racks of hosts with two idle slots each, NICs of 100 MB/s and no limit of disks.
func pool(hosts int, uplinks ...float64) *predict.Snapshot {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	for r, up := range uplinks {
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: string(rune('a' + r)), Up: up, Down: up})
		for h := range hosts {
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: string(rune('a'+r)) + string(rune('0'+h)), Rack: r, Out: 100 * mb, In: 100 * mb})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
		}
	}
	return s
}

func seconds(t *testing.T, app *predict.Application, s *predict.Snapshot, candidate ...int) float64 {
	t.Helper()
	p, err := predict.New(app, s)
	if err != nil {
		t.Fatal(err)
	}
	return p.Predict(candidate).Seconds
}

func mapReduce(maps, reduces int, input float64) *predict.Application {
	return &predict.Application{Stages: []predict.Stage{
		{Tasks: maps, Input: input, Gives: 1, Curve: flat(10)},
		{From: []predict.From{{Stage: 0}}, Tasks: reduces, Gives: 1, Curve: flat(5)},
	}}
}

// bounded runs so many tasks of the first stage at once.
func bounded(app *predict.Application, most int) *predict.Application {
	app.Stages[0].AtOnce = most
	return app
}

// TestHandMade compares with what one computes by hand, and the twin with both.
func TestHandMade(t *testing.T) {
	diamond := &predict.Application{Stages: []predict.Stage{
		{Tasks: 2, Input: 100 * mb, Gives: 1, Curve: flat(10)},
		{From: []predict.From{{Stage: 0, Kind: predict.All}}, Tasks: 1, Gives: 0.5, Curve: flat(20)},
		{From: []predict.From{{Stage: 0}}, Tasks: 1, Gives: 0.5, Curve: flat(5)},
		{From: []predict.From{{Stage: 1}, {Stage: 2}}, Tasks: 1, Gives: 1, Curve: flat(1)},
	}}
	disks := pool(2, 50*mb)
	for i := range disks.Tree.Hosts {
		disks.Tree.Hosts[i].Disk = 20 * mb
	}
	shared := pool(2, 50*mb)
	for i := range shared.Hosts {
		shared.Hosts[i].Idle = 1
	}
	for name, test := range map[string]struct {
		app       *predict.Application
		pool      *predict.Snapshot
		candidate []int
		want      float64
	}{
		"waves: five tasks on four slots":       {mapReduce(5, 1, 0), pool(2, 50*mb), []int{0, 1}, 10 + 10 + 5},
		"at once: five tasks in turns of two":   {bounded(mapReduce(5, 1, 0), 2), pool(2, 50*mb), []int{0, 1}, 3*10 + 5},
		"one host: nothing moves":               {mapReduce(2, 2, 100*mb), pool(2, 50*mb), []int{0}, 10 + 5},
		"one rack: each NIC takes 100 MB":       {mapReduce(4, 4, 100*mb), pool(2, 50*mb), []int{0, 1}, 10 + 1 + 5},
		"two racks: 100 MB over 50 MB/s":        {mapReduce(4, 2, 100*mb), pool(1, 50*mb, 200*mb), []int{0, 1}, 10 + 2 + 5},
		"full duplex: both ways at once":        {mapReduce(4, 4, 100*mb), pool(1, 50*mb, 50*mb), []int{0, 1}, 10 + 2 + 5},
		"two slots share one core":              {mapReduce(4, 4, 0), shared, []int{0, 1}, 20 + 10},
		"disk: 400 MB a host, read and written": {mapReduce(4, 4, 100*mb), disks, []int{0, 1}, 20 + 5 + 20},
		// Stage 1 runs on host 0, stage 2 on host 1: 100 MB to each of them. Then 100 MB from host 1 to the last, on host 0.
		"diamond": {diamond, pool(1, 50*mb, 50*mb), []int{0, 1}, 10 + 2 + 20 + 2 + 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := seconds(t, test.app, test.pool, test.candidate...); math.Abs(got-test.want) > 1e-6 {
				t.Errorf("predicted %v s, want %v", got, test.want)
			}
			if got := twin.Seconds(test.app, test.pool, test.candidate); math.Abs(got-test.want) > 1e-6 {
				t.Errorf("the twin says %v s, want %v", got, test.want)
			}
		})
	}
}

// draw makes a small pool and DAG.
func draw(rng *rand.Rand) (*predict.Application, *predict.Snapshot, []int) {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	if rng.IntN(3) == 0 {
		s.Tree.Aggregations = []topology.Aggregation{{Name: "x", Up: (20 + 80*rng.Float64()) * mb, Down: (20 + 80*rng.Float64()) * mb}}
	}
	for r := range 1 + rng.IntN(4) {
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: string(rune('a' + r)), Up: (10 + 90*rng.Float64()) * mb, Down: (10 + 90*rng.Float64()) * mb, Above: rng.IntN(1 + len(s.Tree.Aggregations))})
		for h := range 1 + rng.IntN(3) {
			nic := float64(50+50*rng.IntN(2)) * mb
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: string(rune('a'+r)) + string(rune('0'+h)), Rack: r, Out: nic, In: nic, Disk: float64(rng.IntN(3)) * 60 * mb})
			s.Hosts = append(s.Hosts, predict.Host{Slots: 1 + rng.IntN(3), Busy: rng.IntN(2), Idle: 0.3 + 3*rng.Float64()})
		}
	}
	app := &predict.Application{}
	for i := range 1 + rng.IntN(5) {
		stage := predict.Stage{Tasks: 1 + rng.IntN(8), Gives: 0.2 + rng.Float64(), Curve: flat(1 + 9*rng.Float64()), Overhead: rng.Float64()}
		for j := range i {
			if rng.IntN(2) == 0 {
				stage.From = append(stage.From, predict.From{Stage: j, Kind: []predict.Kind{predict.Part, predict.Part, predict.All, predict.After}[rng.IntN(4)]})
			}
		}
		if len(stage.From) == 0 {
			stage.Input = float64(1+rng.IntN(100)) * mb
		}
		app.Stages = append(app.Stages, stage)
	}
	var candidate []int
	for h := range s.Hosts {
		if rng.IntN(4) > 0 {
			candidate = append(candidate, h)
		}
	}
	if candidate == nil {
		candidate = []int{0}
	}
	return app, s, candidate
}

func TestWithinTwoPercentOfTheTwin(t *testing.T) {
	var worst, sum float64
	over := 0
	const n = 2000
	for seed := range uint64(n) {
		app, s, candidate := draw(rand.New(rand.NewPCG(seed, 7)))
		got, want := seconds(t, app, s, candidate...), twin.Seconds(app, s, candidate)
		err := math.Abs(got-want) / want
		if got == want {
			err = 0
		}
		worst = max(worst, err)
		sum += err
		if err > 0.02 || math.IsNaN(err) {
			over++
			t.Errorf("seed %d: predicted %v s, the twin says %v: %.2f %%", seed, got, want, 100*err)
		}
	}
	t.Logf("mean error %.4f %%, worst %.3f %%, %d over", 100*sum/n, 100*worst, over)
}

// TestEarlierPredictionsChangeNothing: a Predictor keeps room, and none of what it knew of other candidates.
func TestEarlierPredictionsChangeNothing(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 8))
		app, s, candidate := draw(rng)
		p, err := predict.New(app, s)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var other []int
			for h := range s.Hosts {
				if rng.IntN(2) == 0 {
					other = append(other, h)
				}
			}
			p.Predict(other)
		}
		if got, want := p.Predict(candidate).Seconds, seconds(t, app, s, candidate...); got != want {
			t.Errorf("seed %d: %v s after others, %v s at first", seed, got, want)
		}
	}
}

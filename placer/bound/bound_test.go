package bound

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"lull/placer/predict"
	"lull/placer/topology"
	"lull/subjects/tct"
)

func flat(seconds float64) *tct.Curve {
	return tct.Default(time.Duration(seconds * float64(time.Second)))
}

// TestAllToAllIsTheOptimum tries every way to choose from small pools.
func TestAllToAllIsTheOptimum(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 2))
		racks, hosts := make([]Rack, 1+rng.IntN(4)), 0
		for i := range racks {
			racks[i] = Rack{Hosts: 1 + rng.IntN(6), Up: 1 + 9*rng.Float64(), Down: 1 + 9*rng.Float64()}
			hosts += racks[i].Hosts
		}
		r := 1 + rng.IntN(hosts)
		nic := 1 + 20*rng.Float64()
		got, counts := AllToAll(racks, r, 1, nic)
		want := math.Inf(1)
		var try func(i, left int, worst float64)
		try = func(i, left int, worst float64) {
			if i == len(racks) {
				if left == 0 {
					want = min(want, max(worst, float64(r-1)/nic))
				}
				return
			}
			for n := range min(racks[i].Hosts, left) + 1 {
				try(i+1, left-n, max(worst, float64(n*(r-n))/min(racks[i].Up, racks[i].Down)))
			}
		}
		try(0, r, 0)
		sum, worst := 0, float64(r-1)/nic
		for i, n := range counts {
			sum += n
			worst = max(worst, racks[i].needs(n, r, 1))
		}
		if math.Abs(got-want) > 1e-9 || sum != r || math.Abs(worst-got) > 1e-9 {
			t.Fatalf("seed %d: %v with %v of %+v, want %v", seed, got, counts, racks, want)
		}
	}
	if seconds, _ := AllToAll([]Rack{{Hosts: 2, Up: 1, Down: 1}}, 3, 1, 1); !math.IsInf(seconds, 1) {
		t.Errorf("AllToAll(three of two hosts) = %v s, want infinity", seconds)
	}
}

// TestLargestParts compares with a search of the whole square.
func TestLargestParts(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 3))
		caps := part{rng.Float64(), rng.Float64()}
		up, down := rng.Float64()/2, rng.Float64()/2
		got := largest(caps, up, down)
		const steps = 300
		for i := range steps + 1 {
			for j := range steps + 1 {
				a, b := caps.bytes*float64(i)/steps, caps.readers*float64(j)/steps
				if a*(1-b) <= up && b*(1-a) <= down && (a > got.bytes+1e-9 || b > got.readers+1e-9) {
					t.Fatalf("seed %d: at most %v, %v of %v, but %v, %v is possible with %v, %v", seed, got.bytes, got.readers, caps, a, b, up, down)
				}
			}
		}
	}
}

// drawn is a small pool with unequal hosts, and a job of two to four stages.
func drawn(rng *rand.Rand) (*predict.Application, *predict.Snapshot) {
	s := &predict.Snapshot{Tree: &topology.Tree{}}
	equal := rng.IntN(3) == 0
	for r := range 1 + rng.IntN(4) {
		s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprint(r), Up: 5e6 + 50e6*rng.Float64(), Down: 5e6 + 50e6*rng.Float64()})
		for h := range 1 + rng.IntN(3) {
			host := predict.Host{Slots: 2, Idle: 2}
			if !equal {
				host = predict.Host{Slots: rng.IntN(4), Busy: rng.IntN(2), Idle: 3 * rng.Float64()}
			}
			s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, Out: 60e6, In: 60e6, Disk: 50e6})
			s.Hosts = append(s.Hosts, host)
		}
	}
	app := &predict.Application{}
	for i := range 2 + rng.IntN(3) {
		stage := predict.Stage{Tasks: 1 + rng.IntN(12), Gives: 0.3 + rng.Float64(), Curve: flat(1 + 9*rng.Float64()), Overhead: rng.Float64()}
		for j := range i {
			if j == i-1 && rng.IntN(4) > 0 || rng.IntN(4) == 0 {
				stage.From = append(stage.From, predict.From{Stage: j, Kind: predict.Kind(rng.IntN(4))})
			}
		}
		if len(stage.From) == 0 || rng.IntN(5) == 0 {
			stage.Input = float64(rng.IntN(100)) * 1e6
		}
		app.Stages = append(app.Stages, stage)
	}
	return app, s
}

// TestNoSetOfHostsIsFasterThanTheBound tries every set of hosts of small pools.
func TestNoSetOfHostsIsFasterThanTheBound(t *testing.T) {
	gaps, n := 0.0, 0
	for seed := range uint64(400) {
		app, s := drawn(rand.New(rand.NewPCG(seed, 4)))
		p, err := predict.New(app, s)
		if err != nil {
			t.Fatal(err)
		}
		usable := 0
		for _, h := range s.Hosts {
			if h.Slots > 0 && tct.Residual(h.Idle, h.Busy+1) >= tct.MinResidual {
				usable++
			}
		}
		best := make([]float64, len(s.Hosts)+1)
		for i := range best {
			best[i] = math.Inf(1)
		}
		for set := 1; set < 1<<len(s.Hosts); set++ {
			var hosts []int
			for h := range s.Hosts {
				if set>>h&1 == 1 && s.Hosts[h].Slots > 0 && tct.Residual(s.Hosts[h].Idle, s.Hosts[h].Busy+1) >= tct.MinResidual {
					hosts = append(hosts, h)
				}
			}
			best[len(hosts)] = min(best[len(hosts)], p.Predict(hosts).Seconds)
		}
		least := math.Inf(1)
		for r := 1; r <= usable; r++ {
			least = min(least, best[r])
			if bound := Least(app, s, r, false); best[r] < bound*(1-1e-9) {
				t.Errorf("seed %d: %d hosts end after %v s, want at least the bound, %v", seed, r, best[r], bound)
			} else {
				gaps, n = gaps+best[r]/bound-1, n+1
			}
			if bound := Least(app, s, r, true); least < bound*(1-1e-9) {
				t.Errorf("seed %d: %d or fewer hosts end after %v s, want at least the bound, %v", seed, r, least, bound)
			}
			if exact, _, ok := Equal(app, s, r); ok && math.Abs(exact/best[r]-1) > 1e-6 {
				t.Errorf("seed %d: Equal(%d hosts) = %v s, want %v", seed, r, exact, best[r])
			}
		}
	}
	t.Logf("%d optima are %.1f %% above the bound on average", n, 100*gaps/float64(n))
}

// TestEqualHosts tries all counts of small pools of equal hosts: none ends before the optimum, and the best
// is close to it. It is not always there: a link that is needed longest may idle at first, while the flows
// over it wait for others. Disks may end a job a little before it: see Equal.
func TestEqualHosts(t *testing.T) {
	sum, n := 0.0, 0
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 6))
		s := &predict.Snapshot{Tree: &topology.Tree{}}
		racks, perRack := 2+rng.IntN(3), 2+rng.IntN(3)
		disk, least := 0.0, 1-1e-9
		if seed%2 == 0 {
			disk, least = 100e6, 1-1e-3
		}
		for r := range racks {
			s.Tree.Racks = append(s.Tree.Racks, topology.Rack{Name: fmt.Sprint(r), Up: 5e6 + 50e6*rng.Float64(), Down: 5e6 + 50e6*rng.Float64()})
			for h := range perRack {
				s.Tree.Hosts = append(s.Tree.Hosts, topology.Host{Name: fmt.Sprint(r, h), Rack: r, Out: 125e6, In: 125e6, Disk: disk})
				s.Hosts = append(s.Hosts, predict.Host{Slots: 2, Idle: 2})
			}
		}
		r := 2 + rng.IntN(racks*perRack-1)
		app := &predict.Application{Stages: []predict.Stage{
			{Tasks: 2 * r * (1 + rng.IntN(3)), Input: 64e6, Gives: 1, Curve: flat(2)},
			{From: []predict.From{{Stage: 0}}, Tasks: 2 * r, Gives: 0.5, Curve: flat(5)},
			{From: []predict.From{{Stage: 1, Kind: predict.After}}, Tasks: 2 * r, Input: 32e6, Gives: 1, Curve: flat(1)},
			{From: []predict.From{{Stage: 2}}, Tasks: 2 * r, Curve: flat(3)},
		}}
		want, counts, ok := Equal(app, s, r)
		if !ok {
			t.Fatalf("seed %d: Equal(%d hosts) = false, want hosts that are alike", seed, r)
		}
		p, err := predict.New(app, s)
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(1)
		var try func(rack, left int, hosts []int)
		try = func(rack, left int, hosts []int) {
			if left == 0 {
				best = min(best, p.Predict(hosts).Seconds)
			}
			if left == 0 || rack == racks {
				return
			}
			for n := range min(perRack, left) + 1 {
				more := append([]int(nil), hosts...)
				for h := range n {
					more = append(more, rack*perRack+h)
				}
				try(rack+1, left-n, more)
			}
		}
		try(0, r, nil)
		if best < want*least || best > want*1.1 {
			t.Errorf("seed %d: the best of all counts ends after %v s, the optimum %v is %v", seed, best, counts, want)
		}
		sum, n = sum+best/want-1, n+1
	}
	t.Logf("%.3f %% above the optimum on average", 100*sum/float64(n))
}

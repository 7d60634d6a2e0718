package bound

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

func flat(seconds float64) func(float64) float64 { return func(float64) float64 { return seconds } }

func conserved(seconds float64) func(float64) float64 {
	return func(r float64) float64 { return seconds / r }
}

type curves = []func(float64) float64

var inf = math.Inf(1)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*math.Max(1, want) {
		t.Errorf("%s = %.9g, want %.9g", what, got, want)
	}
}

func TestKnownOptima(t *testing.T) {
	idle, loaded := State{2, 2, 100}, State{0.5, 2, 100}
	for _, c := range []struct {
		what   string
		curves curves
		states []State
		work   []float64
		want   float64
	}{
		{"all on the idle host", curves{conserved(10)}, []State{idle, loaded}, []float64{15}, 150},
		{"what does not fit goes to one loaded slot", curves{conserved(10)}, []State{idle, loaded}, []float64{22}, 200 + 2*20},
		{"whom load spares gets the loaded host", curves{conserved(10), flat(10)}, []State{idle, loaded}, []float64{20, 20}, 400},
		{"nothing to do", curves{flat(10)}, []State{idle}, []float64{0}, 0},
	} {
		got, err := Least(c.curves, []Interval{{c.states, []float64{inf, inf}, c.work}})
		if err != nil {
			t.Fatalf("Least(%s) = %v, want no error", c.what, err)
		}
		near(t, "Least("+c.what+")", got, c.want)
	}
}

func TestArrivalsAndDueTimesBind(t *testing.T) {
	c := curves{conserved(10)}
	early, late := []State{{0.5, 1, 100}}, []State{{1, 1, 100}}
	both := func(arrived, due float64) float64 {
		got, err := Least(c, []Interval{
			{early, []float64{arrived}, []float64{due}},
			{late, []float64{inf}, []float64{4}},
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	near(t, "Least(all of it may wait for the idle time)", both(inf, 0), 40)
	near(t, "Least(three tasks are due before)", both(inf, 3), 3*20+10)
	if _, err := Least(c, []Interval{{early, []float64{1}, []float64{2}}}); !errors.Is(err, errInfeasible) {
		t.Errorf("Least(due before it arrives) = %v, want errInfeasible", err)
	}
	if _, err := Least(c, []Interval{{late, []float64{inf}, []float64{11}}}); !errors.Is(err, errInfeasible) {
		t.Errorf("Least(more work than time) = %v, want errInfeasible", err)
	}
}

// brute tries every schedule of whole tasks on hosts of one state each. All tasks begin at once and
// share their host from then on: k tasks take TCT(idle/k) each. Each schedule tries to be better
// than Least's bound.
func brute(c curves, types []int, idle []float64) float64 {
	best := inf
	var place func(i int, hosts [][]int)
	place = func(i int, hosts [][]int) {
		if i == len(types) {
			best = math.Min(best, total(c, hosts, idle))
			return
		}
		for h := range hosts {
			if len(hosts[h]) < 2 {
				hosts[h] = append(hosts[h], types[i])
				place(i+1, hosts)
				hosts[h] = hosts[h][:len(hosts[h])-1]
			}
		}
	}
	place(0, make([][]int, len(idle)))
	return best
}

// total computes the time of tasks that share a host until the shorter one is done.
func total(c curves, hosts [][]int, idle []float64) float64 {
	sum := 0.0
	for h, types := range hosts {
		shared, alone := math.Min(1, idle[h]/2), math.Min(1, idle[h])
		switch len(types) {
		case 1:
			sum += c[types[0]](alone)
		case 2:
			a, b := c[types[0]](shared), c[types[1]](shared)
			long := types[0]
			if b > a {
				a, b, long = b, a, types[1]
			}
			sum += 2*b + (1-b/a)*c[long](alone)
		}
	}
	return sum
}

func TestNoScheduleBeatsIt(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 1))
	for range 60 {
		c := curves{conserved(5 + 10*rng.Float64()), flat(5 + 10*rng.Float64()), func(r float64) float64 { return 4 + 3/r }}
		idle := []float64{0.3 + rng.Float64(), 0.3 + 2*rng.Float64(), 2}
		types := make([]int, 1+rng.IntN(5))
		work := make([]float64, 3)
		for i := range types {
			types[i] = rng.IntN(3)
			work[types[i]]++
		}
		var states []State
		for _, i := range idle {
			states = append(states, State{i, 2, 1000})
		}
		got, err := Least(c, []Interval{{states, []float64{inf, inf, inf}, work}})
		if err != nil {
			t.Fatal(err)
		}
		if best := brute(c, types, idle); best < got*(1-1e-9) {
			t.Fatalf("Least(idle %v, types %v) = %v, want at most %v, which a schedule takes", idle, types, got, best)
		}
	}
}

// The vertices of a small program can be listed: the cheapest is the optimum.
func TestSimplexFindsTheVertex(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 2))
	for range 300 {
		p := &program{need: []float64{1 + rng.Float64(), rng.Float64() - 0.5}}
		for range 4 {
			p.cost = append(p.cost, 0.1+rng.Float64())
		}
		for range 2 {
			p.rows = append(p.rows, []float64{rng.Float64() - 0.3, rng.Float64() - 0.3, rng.Float64() - 0.3, rng.Float64() - 0.3})
		}
		want := vertices(p)
		prices, err := p.prices()
		if math.IsInf(want, 1) != (err != nil) {
			t.Fatalf("prices of %+v = %v, want no error at a cheapest vertex of %v, and an error at none (+Inf)", p, err, want)
		}
		if err == nil {
			near(t, "optimum of the prices", p.prove(prices), want)
		}
	}
}

func vertices(p *program) float64 {
	a, b, n := p.rows[0], p.rows[1], len(p.cost)
	best := inf
	try := func(x map[int]float64) {
		var r0, r1, c float64
		for j, v := range x {
			if v < -1e-12 {
				return
			}
			r0, r1, c = r0+a[j]*v, r1+b[j]*v, c+p.cost[j]*v
		}
		if r0 >= p.need[0]-1e-9 && r1 >= p.need[1]-1e-9 {
			best = math.Min(best, c)
		}
	}
	for i := range n {
		try(map[int]float64{i: p.need[0] / a[i]})
		try(map[int]float64{i: p.need[1] / b[i]})
		for j := range i {
			det := a[i]*b[j] - a[j]*b[i]
			try(map[int]float64{i: (p.need[0]*b[j] - p.need[1]*a[j]) / det, j: (a[i]*p.need[1] - b[i]*p.need[0]) / det})
		}
	}
	return best
}

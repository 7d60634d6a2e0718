package fit

import "testing"

// slow is the obvious way: every pair of rates on a grid eight times denser.
func slow(p *problem) pair {
	columns := make([]column, 8*gridRates)
	best := pair{sse: inf}
	for i := range columns {
		columns[i].values = make([]float64, len(p.r))
		p.fill(&columns[i], float64(p.span)*float64(i)/float64(len(columns)-1))
		for j := range i {
			if s := p.solve(&columns[i], &columns[j]); s.sse < best.sse {
				best = s
			}
		}
	}
	return best
}

// Between two rates of the grid the error may fall by some percent more: in one draw of three
// thousand by more than three.
func TestSearchFindsWhatADenseGridFinds(t *testing.T) {
	rng := seeded(t)
	missed := 0
	for name, curve := range curves {
		for _, noise := range []float64{0.02, 0.2} {
			p := weigh(usable(draw(rng, 40, 0.05, noise, curve)))
			if fast, twin := p.double(p.single()), slow(p); fast.sse > twin.sse*1.03+1e-9 {
				missed++
				t.Logf("%s, noise %v: error %v, a dense grid finds %v", name, noise, fast.sse, twin.sse)
			}
		}
	}
	if missed > 1 {
		t.Errorf("draws in which a dense grid finds less = %d, want at most 1", missed)
	}
}

func TestCoefficientsAreTheBestOfTheirSign(t *testing.T) {
	rng := seeded(t)
	for range 200 {
		p := weigh(usable(draw(rng, 15, 0.05, 0.5, curves["two exponentials"])))
		columns := p.columns()
		x, y := &columns[rng.IntN(gridRates)], &columns[rng.IntN(gridRates)]
		best := p.solve(x, y)
		for range 50 { // no other a, c ≥ 0 is better
			a, c := best.a*2*rng.Float64(), best.c*2*rng.Float64()+rng.Float64()
			if sse := p.errorOf(x, y, a, c); sse < best.sse*(1-1e-6)-1e-9 {
				t.Fatalf("error of a=%v c=%v = %v, want no less than that of the solved %+v", a, c, sse, best)
			}
		}
	}
}

func (p *problem) errorOf(x, y *column, a, c float64) (sse float64) {
	sse = p.yy // of which the rows' means explain a part
	for i, target := range p.target {
		e := a*x.values[i] + c*y.values[i] - target
		sse += e*e - target*target
	}
	return sse
}

package fit

import "math"

const (
	// finest is the last step of a refinement, 0.1 % of a rate.
	finest = 1e-3
	// maxRounds bounds the walk along a valley that is flat to the last bit.
	maxRounds = 40
	side      = 5
)

// zoom refines a pair of rates by squares of side² pairs around the best so far. Squares
// become smaller once the best is inside. A square needs 2·side columns, and computing
// their exponentials is what takes time. It holds the diagonals: the two rates trade against each other
// along a narrow valley that is seldom parallel to an axis.
type zoom struct{ us, vs [side]column }

func newZoom(samples int) *zoom {
	z := new(zoom)
	for k := range side {
		z.us[k].values, z.vs[k].values = make([]float64, samples), make([]float64, samples)
	}
	return z
}

func (z *zoom) refine(p *problem, best optimum) optimum {
	step := p.span.step() / 2
	for round := 0; step > finest && round < maxRounds; round++ {
		for k := range side {
			offset := float64(k-side/2) * step
			p.fill(&z.us[k], p.span.bound(best.u+offset))
			p.fill(&z.vs[k], p.span.bound(best.v+offset))
		}
		next := z.around(p, best)
		if near(next.u-best.u, step) && near(next.v-best.v, step) {
			step /= 2
		}
		best = next
	}
	return best
}

// near reports that the square's border is not where its best pair is: the
// valley does not lead out of it.
func near(moved, step float64) bool { return math.Abs(moved) < 1.5*step }

// around is the best of the square, or the best before it.
func (z *zoom) around(p *problem, best optimum) optimum {
	for i := range z.us {
		for j := range z.vs {
			best = better(best, optimum{z.us[i].u, z.vs[j].u, p.solve(&z.us[i], &z.vs[j])})
		}
	}
	return best
}

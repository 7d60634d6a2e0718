package fit

// pair is a solution of the linear half: the coefficients of two exponentials
// with given rates, and the weighted sum of squared errors they leave.
type pair struct{ a, c, sse float64 }

// gram holds the inner products of two columns p, q and the target y: all that
// least squares needs to know of the samples.
type gram struct{ pp, pq, qq, py, qy, yy float64 }

// solve finds a, c ≥ 0 that minimise the squared error (non-negative least
// squares). Two columns leave three cases: both at work, or one of them.
func (g gram) solve() pair {
	det := g.pp*g.qq - g.pq*g.pq
	// Of columns with nearly the same rate the sum is determined, the
	// difference is noise.
	if det > 1e-10*g.pp*g.qq {
		a, c := (g.py*g.qq-g.qy*g.pq)/det, (g.qy*g.pp-g.py*g.pq)/det
		if a >= 0 && c >= 0 {
			return g.score(a, c)
		}
	}
	first, second := g.score(ratio(g.py, g.pp), 0), g.score(0, ratio(g.qy, g.qq))
	if second.sse < first.sse {
		return second
	}
	return first
}

func (g gram) score(a, c float64) pair {
	sse := g.yy - 2*(a*g.py+c*g.qy) + a*a*g.pp + 2*a*c*g.pq + c*c*g.qq
	return pair{a, c, max(sse, 0)}
}

// ratio is the best coefficient of one column alone.
func ratio(py, pp float64) float64 {
	if pp <= 0 {
		return 0
	}
	return max(py/pp, 0)
}

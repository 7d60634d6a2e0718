package fit

import "math"

// problem is one weighted least-squares problem. Samples at nearly the same
// residual share a row, because exponentials are what costs.
type problem struct {
	r      []float64   // residual of each row
	ends   []int       // of each row, the first sample behind it
	span   span        // of the search
	grid   [][]float64 // e^(rate·r) for each rate of the grid, without weights
	weight []float64   // of each row: the root of the sum of its samples' squared weights
	target []float64   // of each row: its mean time, weighted
	yy     float64     // sum of the squares of the samples' weighted times
	spare  []column    // see columns
}

// column is one exponential at the rows, weighted, with its inner products.
type column struct {
	u      float64 // locus of its rate
	values []float64
	pp, py float64
}

// rowRatio is how far apart the residuals of one row may be. Conserved work changes a time by 3 %
// between them, and at its middle by none. A full window makes some eighty rows.
const rowRatio = 1.03

// newProblem takes samples by residual.
func newProblem(samples []Sample) *problem {
	p := &problem{span: spanOf(samples)}
	for first := 0; first < len(samples); {
		end, sum := first, 0.0
		for end < len(samples) && samples[end].Residual <= samples[first].Residual*rowRatio {
			sum += samples[end].Residual
			end++
		}
		p.r, p.ends = append(p.r, sum/float64(end-first)), append(p.ends, end)
		first = end
	}
	n := len(p.r)
	p.weight, p.target = make([]float64, n), make([]float64, n)
	p.grid, p.spare = make([][]float64, gridRates), make([]column, gridRates)
	values := make([]float64, 2*gridRates*n)
	for i := range p.grid {
		p.grid[i], p.spare[i].values, values = values[:n], values[n:2*n], values[2*n:]
		exponential(p.grid[i], p.r, p.span.locus(i))
	}
	return p
}

// samples is the number of samples.
func (p *problem) samples() int { return p.ends[len(p.ends)-1] }

// exponential fills values with e^(rate·r).
func exponential(values, r []float64, u float64) {
	rate := rateAt(u)
	for i := range values {
		values[i] = math.Exp(rate * r[i])
	}
}

// columns are the grid under the present weights, until they are asked for
// again.
func (p *problem) columns() []column {
	for i := range p.spare {
		copy(p.spare[i].values, p.grid[i])
		p.weighted(&p.spare[i], p.span.locus(i))
	}
	return p.spare
}

// fill makes c the exponential with its rate at u.
func (p *problem) fill(c *column, u float64) {
	exponential(c.values, p.r, u)
	p.weighted(c, u)
}

func (p *problem) weighted(c *column, u float64) {
	c.u, c.pp, c.py = u, 0, 0
	for i, w := range p.weight {
		v := c.values[i] * w
		c.values[i] = v
		c.pp += v * v
		c.py += v * p.target[i]
	}
}

// solve finds the coefficients of two columns.
func (p *problem) solve(x, y *column) pair {
	pq := 0.0
	for i, v := range x.values {
		pq += v * y.values[i]
	}
	return gram{x.pp, pq, y.pp, x.py, y.py, p.yy}.solve()
}

// alone finds the coefficient of one column.
func (p *problem) alone(x *column) pair {
	return gram{pp: x.pp, py: x.py, yy: p.yy}.score(ratio(x.py, x.pp), 0)
}

package fit

import "math"

// problem is one weighted least-squares problem.
type problem struct {
	r      []float64   // residuals
	span   span        // of the search
	grid   [][]float64 // e^(rate·r) for each rate of the grid, without weights
	weight []float64   // square roots of weights
	target []float64   // times, weighted
	yy     float64     // inner product of target with itself
}

// column is one exponential at the samples, weighted, with its inner products.
type column struct {
	u      float64 // locus of its rate
	values []float64
	pp, py float64
}

func newProblem(samples []Sample) *problem {
	n := len(samples)
	p := &problem{r: make([]float64, n), weight: make([]float64, n), target: make([]float64, n)}
	for i, s := range samples {
		p.r[i] = s.Residual
	}
	p.span = spanOf(p.r)
	p.grid = make([][]float64, gridRates)
	for i := range p.grid {
		p.grid[i] = make([]float64, n)
		exponential(p.grid[i], p.r, p.span.locus(i))
	}
	return p
}

// exponential fills values with e^(rate·r).
func exponential(values, r []float64, u float64) {
	rate := rateAt(u)
	for i := range values {
		values[i] = math.Exp(rate * r[i])
	}
}

// columns are the grid under the present weights.
func (p *problem) columns() []column {
	columns := make([]column, gridRates)
	values := make([]float64, gridRates*len(p.r))
	for i := range columns {
		columns[i].values, values = values[:len(p.r)], values[len(p.r):]
		copy(columns[i].values, p.grid[i])
		p.weighted(&columns[i], p.span.locus(i))
	}
	return columns
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

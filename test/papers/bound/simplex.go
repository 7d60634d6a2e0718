package bound

import "errors"

// errInfeasible says that no x satisfies the constraints.
var errInfeasible = errors.New("bound: the work does not fit into the hosts' time")

// program is: minimise cost·x with rows·x ≥ need, x ≥ 0. Costs are positive,
// so all slacks in the basis are dual feasible from the start, and the dual
// simplex method needs no first phase.
type program struct {
	cost []float64
	rows [][]float64
	need []float64
}

// prices solves the program and returns what each row's need costs at the
// margin: its dual variables, none negative.
func (p *program) prices() ([]float64, error) {
	t, scale := p.tableau()
	for pivots := 0; ; pivots++ {
		row := t.leaving()
		if row < 0 || pivots > 50*(len(p.rows)+1) { // any dual feasible prices prove a bound
			return t.prices(len(p.cost), scale), nil
		}
		column := t.entering(row)
		if column < 0 {
			return nil, errInfeasible
		}
		t.pivot(row, column)
	}
}

// prove turns prices into a bound on cost·x that is valid whatever they are: prices·need ≤
// prices·rows·x ≤ cost·x as soon as no column is priced above its cost. Scaling ensures that.
func (p *program) prove(prices []float64) float64 {
	worth := make([]float64, len(p.cost))
	value := 0.0
	for i, row := range p.rows {
		value += prices[i] * p.need[i]
		for j, a := range row {
			worth[j] += prices[i] * a
		}
	}
	over := 1.0
	for j, w := range worth {
		over = max(over, w/p.cost[j])
	}
	return max(value/over, 0)
}

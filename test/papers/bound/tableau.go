package bound

import "math"

// tableau holds the rows over all columns, those of the slacks behind the
// others and the right-hand side last. The reduced costs are its last row.
type tableau struct {
	rows  [][]float64
	basis []int // column that is basic in a row
}

// tiny is what rounding leaves of zero in a tableau with rows scaled to a largest entry of 1.
const tiny = 1e-9

func (p *program) tableau() (*tableau, []float64) {
	n, m := len(p.cost), len(p.rows)
	t := &tableau{rows: make([][]float64, m+1), basis: make([]int, m)}
	scale := make([]float64, m)
	for i := range t.rows {
		t.rows[i] = make([]float64, n+m+1)
	}
	for i, row := range p.rows {
		scale[i] = 1 / largest(row)
		for j, a := range row {
			t.rows[i][j] = -a * scale[i]
		}
		t.rows[i][n+i], t.rows[i][n+m] = 1, -p.need[i]*scale[i]
		t.basis[i] = n + i
	}
	copy(t.rows[m], p.cost)
	return t, scale
}

func largest(row []float64) float64 {
	most := 0.0
	for _, a := range row {
		most = max(most, math.Abs(a))
	}
	if most == 0 {
		return 1
	}
	return most
}

// leaving is the row that misses its need most, -1 if all are met.
func (t *tableau) leaving() int {
	m := len(t.basis)
	worst, row := -tiny, -1
	for i := range m {
		if need := t.rows[i][len(t.rows[i])-1]; need < worst {
			worst, row = need, i
		}
	}
	return row
}

// entering is the column that meets the row's need at the least cost, the
// first among equals; -1 if none can.
func (t *tableau) entering(row int) int {
	costs := t.rows[len(t.basis)]
	best, column := math.Inf(1), -1
	for j, a := range t.rows[row][:len(costs)-1] {
		if a < -tiny {
			if ratio := max(costs[j], 0) / -a; ratio < best {
				best, column = ratio, j
			}
		}
	}
	return column
}

func (t *tableau) pivot(row, column int) {
	pivot := t.rows[row]
	inverse := 1 / pivot[column]
	var used []int
	for j := range pivot {
		if pivot[j] *= inverse; pivot[j] != 0 {
			used = append(used, j)
		}
	}
	for i, other := range t.rows {
		if factor := other[column]; i != row && factor != 0 {
			for _, j := range used {
				other[j] -= factor * pivot[j]
			}
			other[column] = 0
		}
	}
	t.basis[row] = column
}

// prices are the slacks' reduced costs, brought back from the rows' scale.
func (t *tableau) prices(columns int, scale []float64) []float64 {
	prices := make([]float64, len(scale))
	for i := range prices {
		prices[i] = max(t.rows[len(scale)][columns+i], 0) * scale[i]
	}
	return prices
}

package fit

import (
	"cmp"
	"slices"
)

// optimum is a solved point of the search: the loci of two rates, and what
// they leave.
type optimum struct {
	u, v float64
	pair
}

func compareErrors(x, y optimum) int { return cmp.Compare(x.sse, y.sse) }

// starts is how many local minima of the grid are refined: with little noise the
// lowest pair alone leads to a lesser optimum now and then.
const starts = 4

// double finds the best of up to two exponentials: the lowest local minima of the
// grid and the best addition to the best single one, refined.
func (p *problem) double(single optimum) optimum {
	minima := p.pairs().localMinima()
	slices.SortStableFunc(minima, compareErrors)
	candidates := append(minima[:min(starts, len(minima))], p.extended(single))
	zoom := newZoom(len(p.r))
	for i := range candidates {
		candidates[i] = zoom.refine(p, candidates[i])
	}
	return slices.MinFunc(append(candidates, single), compareErrors)
}

// extended adds to a single exponential the rate of the grid that helps most.
// A small second term lies in a minimum too narrow for the grid to show.
func (p *problem) extended(single optimum) optimum {
	columns, first := p.columns(), column{values: make([]float64, len(p.r))}
	p.fill(&first, single.u)
	best := optimum{pair: pair{sse: inf}}
	for i := range columns {
		best = better(best, optimum{first.u, columns[i].u, p.solve(&first, &columns[i])})
	}
	return best
}

// pairs solves every pair of the grid.
func (p *problem) pairs() *landscape {
	columns, all := p.columns(), new(landscape)
	for i := range columns {
		for j := range i {
			all[i][j] = optimum{columns[i].u, columns[j].u, p.solve(&columns[i], &columns[j])}
		}
	}
	return all
}

// single finds the best one exponential, the same way.
func (p *problem) single() optimum {
	best := optimum{pair: pair{sse: inf}}
	columns := p.columns()
	for i := range columns {
		best = better(best, optimum{columns[i].u, 0, p.alone(&columns[i])})
	}
	scratch := &columns[0]
	for step := p.span.step() / 2; step > finest; step /= 2 {
		for _, u := range [2]float64{p.span.bound(best.u - step), p.span.bound(best.u + step)} {
			p.fill(scratch, u)
			best = better(best, optimum{u, 0, p.alone(scratch)})
		}
	}
	return best
}

func better(x, y optimum) optimum {
	if y.sse < x.sse {
		return y
	}
	return x
}

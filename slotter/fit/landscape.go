package fit

// landscape holds the solved pairs of the grid: [i][j] for j < i.
type landscape [gridRates][gridRates]optimum

// localMinima lists the pairs of two terms at work that no neighbour undercuts.
// Where one term is left out, the other's rate is all that matters: that land
// is flat, and single searches it.
func (l *landscape) localMinima() []optimum {
	var found []optimum
	for i := range l {
		for j := range i {
			if l[i][j].a > 0 && l[i][j].c > 0 && l.isLocalMinimum(i, j) {
				found = append(found, l[i][j])
			}
		}
	}
	return found
}

func (l *landscape) isLocalMinimum(i, j int) bool {
	for di := -1; di <= 1; di++ {
		for dj := -1; dj <= 1; dj++ {
			if x, y := i+di, j+dj; x < gridRates && y >= 0 && y < x && l[x][y].sse < l[i][j].sse {
				return false
			}
		}
	}
	return true
}

// lowest is the best pair of the grid.
func (l *landscape) lowest() optimum {
	best := l[1][0]
	for i := range l {
		for j := range i {
			best = better(best, l[i][j])
		}
	}
	return best
}

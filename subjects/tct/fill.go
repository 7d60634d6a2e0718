package tct

// Fill returns what a host offers when batch work takes all it can get: how many of its slots run a
// task at once, and the residual of each. Slots that would push the residual below MinResidual stay
// empty.
func Fill(idle float64, slots int) (n int, residual float64) {
	for n = max(slots, 0); n > 0; n-- {
		if residual = Residual(idle, n); residual >= MinResidual {
			return n, residual
		}
	}
	return 0, 0
}

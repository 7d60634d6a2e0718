package guard

// excess detects that a quantity is over its bound, by Page's cumulative sum (Biometrika 41, 1954).
// Excess over the bound is added, a shortfall is subtracted, and a sum beyond the evidence is a
// complaint. So a large excess leads to a complaint within a few samples, and a small one after a
// while. An average would have to choose one of the two.
type excess struct {
	evidence float64 // seconds
	sum      float64
}

// add takes a sample's seconds and the seconds that were allowed, and reports whether
// there is a complaint. It takes at least three samples: the hypervisor may have caused a
// single long wait.
func (e *excess) add(seconds, allowed float64) bool {
	e.sum = max(0, e.sum+min(seconds-allowed, e.evidence*0.4))
	if e.sum < e.evidence {
		return false
	}
	e.sum = 0
	return true
}

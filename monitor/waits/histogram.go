package waits

// buckets is enough for waits of 2^40 ns, eighteen minutes.
const buckets = 40

// Histogram counts waits by length: Histogram[i] are those of 2^i ns and more,
// and less than twice that.
type Histogram [buckets]uint64

// Since is the histogram of what came after an earlier one.
func (h Histogram) Since(past Histogram) Histogram {
	for i := range h {
		h[i] -= min(past[i], h[i])
	}
	return h
}

// Count is the number of waits.
func (h Histogram) Count() (n uint64) {
	for _, c := range h {
		n += c
	}
	return n
}

// Quantile returns a length, in seconds, that a share q of the waits did not exceed: the upper end
// of its bucket, at most twice too long. 0 if there were none.
func (h Histogram) Quantile(q float64) float64 {
	rest := float64(h.Count()) * q
	for i, c := range h {
		if rest -= float64(c); c > 0 && rest <= 0 {
			return float64(uint64(2)<<i) / 1e9
		}
	}
	return 0
}

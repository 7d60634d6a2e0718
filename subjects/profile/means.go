package profile

import "math"

const (
	// coarse is the packed form of all cores in half a byte.
	coarse = 14
	// unseen stands for a slot without observation.
	unseen = 15
)

// PackMeans packs shares as Profile.Means has them. NaN stands for a slot without observation.
func PackMeans(shares []float64) []byte {
	packed := make([]byte, (len(shares)+1)/2)
	for i, share := range shares {
		half := byte(unseen)
		if !math.IsNaN(share) {
			half = byte(math.Round(coarse * math.Sqrt(min(max(share, 0), 1))))
		}
		packed[i/2] |= half << (4 * (i % 2))
	}
	return packed
}

// MeanRoot is the square root of the mean share of a slot, NaN where there is no observation.
func (p *Profile) MeanRoot(slot int) float64 {
	half := p.Means[slot/2] >> (4 * (slot % 2)) & 0xf
	if half == unseen {
		return math.NaN()
	}
	return float64(half) / coarse
}

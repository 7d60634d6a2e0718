package pace

import (
	"math"
	"slices"
)

// noisyMost is the share of cycles that may be left out: the paper filters "a
// few" of eight. More would make any trace fit.
const noisyMost = 0.25

// quiet leaves out the noisy cycles: those with a root mean square residual more than
// three standard deviations above the median of all cycles. The standard deviation is
// estimated as 1.4826 times the median absolute deviation, which outliers do not move (the
// factor is that of normal noise). At most noisyMost of the cycles are left out, the
// noisiest first.
func quiet(all []pair, m Model) []pair {
	noise := noiseOf(all, m)
	median := medianOf(noise)
	var off []float64
	for _, n := range noise {
		off = append(off, math.Abs(n-median))
	}
	// Where all cycles are alike the deviation is almost 0, and a cycle that is only a
	// little worse than the others is not noisy.
	bound := median + 3*max(1.4826*medianOf(off), median/4)
	sorted := slices.Sorted(slices.Values(noise))
	may := int(noisyMost * float64(len(noise)))
	bound = max(bound, sorted[len(sorted)-1-may])
	return slices.DeleteFunc(slices.Clone(all), func(p pair) bool { return noise[p.cycle] > bound })
}

// noiseOf is the root mean square residual of each cycle, in bytes/s.
func noiseOf(all []pair, m Model) []float64 {
	cycles := 1 + all[len(all)-1].cycle
	sums, counts := make([]float64, cycles), make([]float64, cycles)
	for _, p := range all {
		r := p.residual(m)
		sums[p.cycle] += r * r
		counts[p.cycle]++
	}
	for i := range sums {
		sums[i] = math.Sqrt(sums[i] / max(counts[i], 1))
	}
	return sums
}

func medianOf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

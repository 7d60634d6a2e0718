package stat

import "math"

// Estimate is a mean with its 95 % interval. With a single value the interval
// is that value: it says nothing.
type Estimate struct{ Mean, Low, High float64 }

// Mean estimates the mean of values by Student's t, which takes their mean to
// be normally distributed.
func Mean(values []float64) Estimate {
	n := float64(len(values))
	if n == 0 {
		return Estimate{math.NaN(), math.NaN(), math.NaN()}
	}
	mean := sum(values) / n
	if n == 1 {
		return Estimate{mean, mean, mean}
	}
	squares := 0.0
	for _, x := range values {
		squares += (x - mean) * (x - mean)
	}
	half := student(len(values)-1) * math.Sqrt(squares/(n-1)/n)
	return Estimate{mean, mean - half, mean + half}
}

// Difference estimates the mean of a[i] − b[i].
func Difference(a, b []float64) Estimate {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = a[i] - b[i]
	}
	return Mean(d)
}

func sum(values []float64) float64 {
	total := 0.0
	for _, x := range values {
		total += x
	}
	return total
}

// Spread is the mean of values and their standard deviation (over n − 1; 0 for a
// single value), both NaN without any.
func Spread(values []float64) (mean, deviation float64) {
	n := float64(len(values))
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	mean = sum(values) / n
	squares := 0.0
	for _, x := range values {
		squares += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(squares / max(n-1, 1))
}

package truth

import (
	"math"

	"lull/sim"
)

// Seconds is a truth's time at residual r, as sim.Truth documents it: between
// points its logarithm is linear, outside work is conserved.
func Seconds(t *sim.Truth, r float64) float64 {
	points := t.Points
	first, last := points[0], points[len(points)-1]
	switch {
	case r <= first.Residual:
		return first.Seconds * first.Residual / r
	case r >= last.Residual:
		return last.Seconds * last.Residual / r
	}
	i := 1
	for points[i].Residual < r {
		i++
	}
	a, b := points[i-1], points[i]
	share := (r - a.Residual) / (b.Residual - a.Residual)
	return math.Exp(math.Log(a.Seconds)*(1-share) + math.Log(b.Seconds)*share)
}

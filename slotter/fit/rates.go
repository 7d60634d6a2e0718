package fit

import "math"

// Rates run from maxRate to minRate. maxRate is for times that grow a little with the residual
// because overhead does; minRate is for a term that is gone at a twentieth of a core. They are
// searched by their locus u = ln(1 + maxRate − rate). Steps in u are fine where a change of rate
// shows and coarse where it does not.
const (
	maxRate, minRate = 0.5, -60.0
	gridRates        = 20 // 190 pairs
)

// span is the range of loci that a problem searches, from 0 to its end.
type span float64

// spanOf ends where a term would matter to fewer than five samples, those with the least residual;
// it has fallen to e⁻³ at the fifth. A steeper term follows the noise of a sample or two, and is
// enormous beside them. The samples are in order.
func spanOf(samples []Sample) span {
	steepest := minRate
	if reach := samples[min(4, len(samples)-1)].Residual - samples[0].Residual; reach > 0 {
		steepest = max(-3/reach, minRate)
	}
	return span(math.Log(1 + maxRate - steepest))
}

func rateAt(u float64) float64 { return 1 + maxRate - math.Exp(u) }

// step is the distance of the grid's loci.
func (s span) step() float64           { return float64(s) / (gridRates - 1) }
func (s span) locus(i int) float64     { return float64(i) * s.step() }
func (s span) bound(u float64) float64 { return min(max(u, 0), float64(s)) }

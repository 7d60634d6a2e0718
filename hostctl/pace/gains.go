package pace

import (
	"fmt"
	"math"
)

// Gains are the factors of the control law, in cores per byte/s.
type Gains struct {
	Kp, Ki float64
	// Settling is the predicted number of samples until throughput is within 2 % of a new
	// reference, if the model is right. SettlingWorst is that number if the model is wrong
	// by as much as the margin allows.
	Settling      int
	SettlingWorst int
}

// times returns the gains times a share.
func (g Gains) times(share float64) Gains {
	g.Kp, g.Ki = share*g.Kp, share*g.Ki
	return g
}

// GainsFor chooses the gains of the loop T(k) = a·T(k−1) + b·C(k−1), C(k) = C(k−1) +
// (Kp+Ki)·E(k) − Kp·E(k−1). Of all gains that keep it stable for every model within the
// margin, it returns those with the shortest worst settling time, without ringing at m itself.
func GainsFor(m Model, margin Margin) (Gains, error) {
	if !m.Usable() {
		return Gains{}, fmt.Errorf("choose gains: %w", m.refusal())
	}
	best, ok := searchGains(m.A, margin)
	if !ok {
		return Gains{}, fmt.Errorf("choose gains: none keep the loop stable for a = %.2f ± %.2f and b off by × %.1f",
			m.A, margin.A, margin.B)
	}
	g := best.gains(m.B)
	g.Settling = settling(best.loop(m.A, 1).radius())
	g.SettlingWorst = settling(best.worst(m.A, margin))
	return g, nil
}

// Check returns an error if the loop is not stable for every model within the margin. The
// error names a model for which it is not.
func (g Gains) Check(m Model, margin Margin) error {
	n := normal{g.Kp * m.B, g.Ki * m.B}
	for _, c := range corners(m.A, margin) {
		if l := n.loop(c.a, c.times); !l.stable() {
			return fmt.Errorf("gains Kp = %.3g, Ki = %.3g oscillate ever more at a = %.2f, b = %.3g (a pole at %.2f)",
				g.Kp, g.Ki, c.a, c.times*m.B, l.radius())
		}
	}
	return nil
}

// settling is the number of samples until a mode of this radius has decayed to 2 %.
func settling(radius float64) int {
	if radius < 0.02 {
		return 1
	}
	return int(math.Ceil(math.Log(0.02) / math.Log(radius)))
}

// corner is an extreme of the margin.
type corner struct{ a, times float64 }

// corners returns the corners of the box of models within the margin. A loop that is stable at all
// corners is stable in the whole box: its coefficients are affine in a and b, and the region of
// stable coefficients is convex (a triangle).
func corners(a float64, margin Margin) [4]corner {
	return [4]corner{
		{a - margin.A, 1 / margin.B}, {a - margin.A, margin.B},
		{a + margin.A, 1 / margin.B}, {a + margin.A, margin.B},
	}
}

package pace

import "math"

// normal are gains times b. In these units the loop does not depend on b.
type normal struct{ p, i float64 }

func (n normal) gains(b float64) Gains { return Gains{Kp: n.p / b, Ki: n.i / b} }

// loop is the closed loop's characteristic polynomial z² + c1·z + c0, from
// (z−a)(z−1) + b·((Kp+Ki)·z − Kp) = 0.
type loop struct{ c1, c0 float64 }

// loop is the closed loop with a model of which b is so many times the b of the gains.
func (n normal) loop(a, times float64) loop {
	return loop{times*(n.p+n.i) - a - 1, a - times*n.p}
}

// stable is Jury's criterion for both poles inside the unit circle.
func (l loop) stable() bool {
	return math.Abs(l.c0) < 1 && 1+l.c1+l.c0 > 0 && 1-l.c1+l.c0 > 0
}

// radius is the magnitude of the dominant pole.
func (l loop) radius() float64 {
	d := l.c1*l.c1 - 4*l.c0
	if d < 0 {
		return math.Sqrt(l.c0)
	}
	return (math.Abs(l.c1) + math.Sqrt(d)) / 2
}

// oscillates reports whether the loop oscillates: its poles are complex, or clearly below 0 and
// the task's own pole.
func (l loop) oscillates(a float64) bool {
	d := l.c1*l.c1 - 4*l.c0
	return d < 0 || (-l.c1-math.Sqrt(d))/2 < min(a, 0)-0.1
}

// worst is the largest radius within the margin; infinite if a corner is not stable.
func (n normal) worst(a float64, margin Margin) float64 {
	most := 0.0
	for _, c := range corners(a, margin) {
		l := n.loop(c.a, c.times)
		if !l.stable() {
			return math.Inf(1)
		}
		most = max(most, l.radius())
	}
	return most
}

// searchGains tries gains in steps of 1/50 of 1/b: the integral gain up to two, the
// proportional one up to one. Beyond that no first-order loop is stable with a margin. It
// takes 30 µs, once a model.
func searchGains(a float64, margin Margin) (best normal, ok bool) {
	const steps = 50
	least := 1.0
	for i := 1; i <= 2*steps; i++ {
		for p := 0; p <= steps; p++ {
			n := normal{float64(p) / steps, float64(i) / steps}
			if n.loop(a, 1).oscillates(a) {
				continue
			}
			// The tolerance keeps the lower gains of two that are equally good.
			if worst := n.worst(a, margin); worst < least-1e-9 {
				best, least, ok = n, worst, true
			}
		}
	}
	return best, ok
}

package pace

import "math"

// Model is how a task's throughput follows its CPU cap (equation 1): T(k) = A·T(k−1) +
// B·C(k−1), T in bytes/s, C in cores, one Sample apart.
type Model struct {
	A float64 // how much of a sample's throughput carries over to the next
	B float64 // bytes/s a core
	// R2 is the share of the throughput's variance that the model explains, in the
	// samples from which it was identified.
	R2      float64
	Samples int // from which it was identified, without noisy cycles
}

// Steady is the throughput at a constant cap, in bytes/s: B·C/(1−A).
func (m Model) Steady(cores float64) float64 { return m.B * cores / (1 - m.A) }

// Claim is the cap, in cores, at which the throughput settles at a reference in
// bytes/s.
func (m Model) Claim(reference float64) float64 { return reference * (1 - m.A) / m.B }

// Usable reports whether the model can describe a task: more CPU gives more throughput,
// which neither grows without bound nor oscillates by itself. For all usable models there
// are gains that are stable within the Robust margin.
func (m Model) Usable() bool {
	return m.B > 0 && !math.IsInf(m.B, 0) && m.A > -0.75 && m.A < 0.95
}

// Margin is how far the true model may be from the identified one while the loop stays
// stable.
type Margin struct {
	A float64 // a lies within ± A
	B float64 // b lies within a factor of B, either way; above 1
}

// Robust is the margin that gains are chosen for. Throughput per core differs by
// up to half between stretches of one input and between an idle and a loaded
// core that shares its caches; a factor of two covers both.
var Robust = Margin{A: 0.2, B: 2}

// Pessimistic is the model to plan with on a heavily loaded host (section 9): the lowest
// throughput per core within the margin. A task then claims more cores than it may need,
// so that tasks of lower priority are slowed before it falls behind.
func (m Model) Pessimistic() Model {
	m.B /= Robust.B
	return m
}

// near limits an estimate to the margin around m.
func (m Model) near(a, b float64) (float64, float64) {
	a = min(max(a, m.A-Robust.A), m.A+Robust.A)
	return a, min(max(b, m.B/Robust.B), m.B*Robust.B)
}

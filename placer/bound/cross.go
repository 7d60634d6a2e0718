package bound

import (
	"math"

	"lull/placer/predict"
)

// part is the largest parts of a stage's bytes and of its readers that a rack can have.
type part struct{ bytes, readers float64 }

// cross returns the least time in which so many bytes in all can reach their readers, if no rack can
// have larger parts than caps says.
func cross(s *predict.Snapshot, bytes float64, caps []part) float64 {
	if bytes <= 0 || fits(s, bytes, caps, 0) {
		return 0
	}
	// Half of what a rack can have at most crosses its uplink, so this is long enough.
	low, high := 0.0, 0.0
	for i := range s.Tree.Racks {
		high = max(high, bytes/min(s.Tree.Racks[i].Up, s.Tree.Racks[i].Down))
	}
	if !fits(s, bytes, caps, high) {
		return 0 // the caps leave no room for all: they say nothing
	}
	for range 60 {
		if middle := (low + high) / 2; fits(s, bytes, caps, middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// fits reports whether the largest parts that racks can have in the time add up to all.
func fits(s *predict.Snapshot, bytes float64, caps []part, seconds float64) bool {
	var sum part
	for i, rack := range s.Tree.Racks {
		p := largest(caps[i], seconds*rack.Up/bytes, seconds*rack.Down/bytes)
		sum.bytes += p.bytes
		sum.readers += p.readers
	}
	return sum.bytes >= 1-1e-12 && sum.readers >= 1-1e-12
}

// largest is the largest parts a and b that are at most those of the caps, with a·(1 − b) ≤ up and
// b·(1 − a) ≤ down. What a can be at most grows with b, so both are largest where b is.
func largest(caps part, up, down float64) part {
	if caps.bytes <= 0 {
		return part{0, min(caps.readers, down)}
	}
	// From turn on, a is bounded by its cap alone.
	turn := 1 - up/caps.bytes
	if b := caps.readers; b*(1-caps.bytes) > down {
		caps.readers = down / (1 - caps.bytes)
	}
	if b := caps.readers; b >= turn {
		return part{caps.bytes, b}
	}
	// Below it, a = up/(1 − b), and b·(1 − a) ≤ down means b² + b·(up − 1 − down) + down ≥ 0.
	b, half := caps.readers, (1+down-up)/2
	if d := half*half - down; d > 0 {
		if first, second := half-math.Sqrt(d), half+math.Sqrt(d); b > first && b < second {
			b = first
		}
	}
	return part{min(caps.bytes, up/(1-b)), b}
}

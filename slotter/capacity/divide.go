package capacity

import "slices"

// Claim is what one of several claimants asks of a total.
type Claim struct {
	Weight float64 // positive: parts are in proportion to weights
	Least  float64 // it gets this much before any claimant gets more than its Least
	Most   float64 // what it can use; at least Least
}

// Divide shares a total among claims by weighted max-min fairness: there is a level such that each
// gets level · Weight, but no less than Least and no more than Most. The parts add up to the
// total, or to the sum of Most if that is less. If the sum of Least exceeds the total, each claim
// gets the same fraction of its Least.
//
// The parts are in the claims' order. The time is O(n log n).
func Divide(total float64, claims []Claim) []float64 {
	parts := make([]float64, len(claims))
	least, most := 0.0, 0.0
	for i := range claims {
		least += claims[i].Least
		most += claims[i].Most
	}
	level, cut := 0.0, 1.0
	switch {
	case most <= total:
		level = full
	case least >= total && least > 0:
		cut = total / least
	default:
		level = levelOf(total, claims)
	}
	for i := range claims {
		parts[i] = cut * claims[i].at(level)
	}
	return parts
}

// full is a level at which each claim gets its Most: weights are at least a
// millionth.
const full = 1e18

// at returns what the claim gets at a level.
func (c *Claim) at(level float64) float64 {
	return min(max(level*c.Weight, c.Least), c.Most)
}

// levelOf finds the level at which the parts add up to the total. Their sum is linear in the level
// between the points where a claim leaves its Least or reaches its Most. So it is enough to find
// the two points around the total.
func levelOf(total float64, claims []Claim) float64 {
	points := make([]float64, 0, 2*len(claims))
	for i := range claims {
		points = append(points, claims[i].Least/claims[i].Weight, claims[i].Most/claims[i].Weight)
	}
	slices.Sort(points)
	next, _ := slices.BinarySearchFunc(points, total, func(level, total float64) int {
		if sum(claims, level) <= total {
			return -1
		}
		return 1
	})
	from := 0.0
	if next > 0 {
		from = points[next-1]
	}
	if next == len(points) {
		return from
	}
	return from + (total-sum(claims, from))/rising(claims, (from+points[next])/2)
}

// rising returns the sum of the weights of the claims that get more if the level rises from this one.
// Rounding may leave no such claim. So the result is at least the least weight, and never 0.
func rising(claims []Claim, level float64) (weight float64) {
	least := claims[0].Weight
	for i := range claims {
		c := &claims[i]
		least = min(least, c.Weight)
		if part := level * c.Weight; c.Least < part && part < c.Most {
			weight += c.Weight
		}
	}
	return max(weight, least)
}

// sum returns what all claims get at a level.
func sum(claims []Claim, level float64) (all float64) {
	for i := range claims {
		all += claims[i].at(level)
	}
	return all
}

package pace

import (
	"cmp"
	"slices"
)

// Claim is the CPU that one task asks of its host.
type Claim struct {
	Cores float64 // that its reference takes
	Most  float64 // that it can use: its slots
	// Priority: where there is too little CPU, tasks of a lower priority lose theirs
	// first, and tasks of one priority in proportion to their claims.
	Priority float64
}

// loaded is the share of a host's cores that may be claimed before it counts as
// heavily loaded.
const loaded = 0.85

// Heavy reports whether claims leave so little of a host that tasks must be planned with
// pessimistic models (section 9).
func Heavy(claims []Claim, cores float64) bool {
	sum := 0.0
	for _, c := range claims {
		sum += c.Cores
	}
	return sum > loaded*cores
}

// Mediate divides a host's cores among the tasks with controlled rates, and returns the
// largest cap of each. Independent controllers that together ask for too much ask for more
// and more (section 9), so the sum of the caps stays below the cores. Each task keeps Least,
// because without any CPU it would stop. Cores that no task claims are divided in equal
// parts, because models can be wrong.
func Mediate(claims []Claim, cores float64) []float64 {
	limits := make([]float64, len(claims))
	left := cores - Least*float64(len(claims))
	for _, group := range byPriority(claims) {
		left = grant(limits, claims, group, max(left, 0))
	}
	for i, c := range claims {
		limits[i] = min(limits[i]+left/float64(len(claims)), max(c.Most, Least))
	}
	return limits
}

// grant gives a group its claims, or its part of the cores that are left, and returns
// the cores that are left then.
func grant(limits []float64, claims []Claim, group []int, left float64) float64 {
	need := taken(claims, group, 1)
	share := 1.0
	if need > left {
		share = shareOf(claims, group, left)
	}
	for _, i := range group {
		limits[i] = Least + claims[i].over(share)
	}
	return max(left-need, 0)
}

// shareOf returns the share of a group's claims that uses up the remaining cores. It is a share of
// the full claims, not of claims limited to the slots' widths. Otherwise a task that claims more
// than its slot would be cut more than the others.
func shareOf(claims []Claim, group []int, left float64) float64 {
	low, high := 0.0, 1.0
	for range 20 { // to a millionth
		if middle := (low + high) / 2; taken(claims, group, middle) > left {
			high = middle
		} else {
			low = middle
		}
	}
	return low
}

// taken is the cores above Least that a group uses with a share of its claims.
func taken(claims []Claim, group []int, share float64) (sum float64) {
	for _, i := range group {
		sum += claims[i].over(share)
	}
	return sum
}

// over is the cores above Least of a share of a claim, as far as the task can use them.
func (c Claim) over(share float64) float64 {
	return max(min(share*c.Cores, c.Most)-Least, 0)
}

// byPriority groups the claims, the highest priority first.
func byPriority(claims []Claim) [][]int {
	order := make([]int, len(claims))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(claims[j].Priority, claims[i].Priority) })
	var groups [][]int
	for n, i := range order {
		if n == 0 || claims[i].Priority < claims[order[n-1]].Priority {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], i)
	}
	return groups
}

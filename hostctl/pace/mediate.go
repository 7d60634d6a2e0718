package pace

import (
	"cmp"
	"slices"
)

// Claim is what one task asks of its host.
type Claim struct {
	Cores float64 // that its reference takes
	Most  float64 // that it can use: its slots
	// Priority decides which task gives way: the lower one first, and all of one
	// priority in proportion to what they claim.
	Priority float64
}

// loaded is the share of a host's cores that may be claimed before it counts as
// heavily loaded.
const loaded = 0.85

// Heavy reports whether claims leave a host so little that tasks are to be
// planned with pessimistic models (section 9).
func Heavy(claims []Claim, cores float64) bool {
	sum := 0.0
	for _, c := range claims {
		sum += c.Cores
	}
	return sum > loaded*cores
}

// Mediate divides the cores that a host has for them among the tasks whose rates
// are controlled, and returns the largest cap of each. Controllers that know
// nothing of each other ask for ever more when together they ask for too much
// (section 9); so the sum of what is granted stays under what there is. Everybody
// keeps Least, or it would stand still. What no task claims is offered to all in
// equal parts: models err.
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

// grant gives a group what it claims, or its part of what is left, and returns
// what is left then.
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

// shareOf is the part of what the group claims that it takes to use up what is
// left. It is of the claims as they are, not of what a slot's width leaves of them:
// else a task that claims more than its slot would be cut more than the others.
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

// taken is what a group takes with a share of its claims.
func taken(claims []Claim, group []int, share float64) (sum float64) {
	for _, i := range group {
		sum += claims[i].over(share)
	}
	return sum
}

// over is by how much a share of what a task claims, as far as it can use that, is
// more than everybody has.
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

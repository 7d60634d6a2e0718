// Package policy chooses hosts by four simple rules that do not predict how long a job would take. The
// paper compares TARA with them (section 3.2). lull's search begins with their choices.
//
// Each rule is made as strong as it can be. Racks are taken in the order of what their uplinks have left,
// the greatest first. Within a rack, the hosts that offer most come first. Hosts on which no task could
// run are left out. The paper does all this only for RR-S.
package policy

import (
	"cmp"
	"slices"

	"lull/placer/predict"
	"lull/placer/shelf"
)

// Policy is a rule by which hosts are chosen.
type Policy struct {
	Name string
	// PerRack is how many hosts of a rack are taken in one round over the racks. There are rounds until
	// enough hosts are chosen.
	PerRack int
}

// All lists the four policies, by their names in the paper.
//
//	RR-R  a host of each rack in turn
//	RR-S  host after host: the whole of the best rack, then of the next
//	H-1   the best racks, at most 20 hosts of each
//	H-2   the best racks, at most 10 hosts of each
var All = []Policy{{"RR-R", 1}, {"RR-S", everything}, {"H-1", 20}, {"H-2", 10}}

const everything = 1 << 30

// Choose returns n hosts of the snapshot in rising order, or all that can run a task if
// they are fewer.
func (p Policy) Choose(s *predict.Snapshot, n int) []int {
	racks := make([][]int, len(s.Tree.Racks))
	usable := shelf.Usable(s)
	n = min(n, len(usable))
	for _, h := range usable {
		r := s.Tree.Hosts[h].Rack
		racks[r] = append(racks[r], h)
	}
	order := ranked(s)
	var chosen []int
	for len(chosen) < n {
		for _, r := range order {
			k := min(p.PerRack, len(racks[r]), n-len(chosen))
			chosen, racks[r] = append(chosen, racks[r][:k]...), racks[r][k:]
		}
	}
	slices.Sort(chosen)
	return chosen
}

// ranked returns the racks by the rate that the slower direction of their uplinks has left, the greatest
// first.
func ranked(s *predict.Snapshot) []int {
	order := make([]int, len(s.Tree.Racks))
	for i := range order {
		order[i] = i
	}
	left := func(r int) float64 { return min(s.Tree.Racks[r].Up, s.Tree.Racks[r].Down) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left(b), left(a)) })
	return order
}

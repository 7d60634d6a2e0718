// Package policy chooses hosts without asking how long a job would take on them: the four rules
// that TARA is compared with (section 3.2 of the paper), and with which lull's search begins.
//
// Each is as strong as its rule allows. Racks come in the order of what their uplinks have left, the
// best first; within a rack the hosts that offer most come first; hosts on which no task could run are
// left out. The paper does so for RR-S only.
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
	// PerRack is the most hosts of a rack that are taken before other racks have given as many.
	PerRack int
}

// All is the four policies of the paper.
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

// ranked is the racks by what the slower direction of their uplinks has left.
func ranked(s *predict.Snapshot) []int {
	order := make([]int, len(s.Tree.Racks))
	for i := range order {
		order[i] = i
	}
	left := func(r int) float64 { return min(s.Tree.Racks[r].Up, s.Tree.Racks[r].Down) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(left(b), left(a)) })
	return order
}

package datanode

import (
	"cmp"
	"fmt"
	"slices"
)

// maxNodes is the number of nodes of which something learnt is remembered.
const maxNodes = 1000

// Save lists what was learnt, by name, for a snapshot.
func (s *Nodes) Save() (list []Learnt) {
	for _, n := range s.byName {
		if !n.learnt.empty() {
			list = append(list, n.learnt)
		}
	}
	return list
}

// Load takes over what Save listed.
func (s *Nodes) Load(list []Learnt) error {
	for i, l := range list {
		if i > 0 && l.Name <= list[i-1].Name || l.Capacity < 0 || len(l.Trials) > calmTrials {
			return fmt.Errorf("its entry of data node %.80q is out of order, has a negative capacity or more than %d trials", l.Name, calmTrials)
		}
		s.node(l.Name).learnt = l
	}
	s.count()
	return nil
}

// trim forgets what was learnt of the nodes with the oldest trials.
func (s *Nodes) trim() {
	var known []*Node
	for _, n := range s.byName {
		if !n.learnt.empty() {
			known = append(known, n)
		}
	}
	if len(known) <= maxNodes {
		return
	}
	slices.SortStableFunc(known, func(a, b *Node) int { return cmp.Compare(b.learnt.Used, a.learnt.Used) })
	for _, n := range known[maxNodes:] {
		n.learnt = Learnt{Name: n.name}
	}
	s.count()
}

package sim

import "math"

// dataNode is a data node in use. Its readers' demand is equation 5 of MIMP: what
// a task reads on an idle core, over its NormTCT at its residual.
type dataNode struct {
	DataNode
	demand  float64 // bytes/s
	readers int
	factor  float64 // share of what its readers want that they get
	hosts   map[*host]int
}

type dataNodes map[string]*dataNode

func newDataNodes(list []DataNode) dataNodes {
	s := make(dataNodes, len(list))
	for _, each := range list {
		s[each.Name] = &dataNode{DataNode: each, factor: 1, hosts: map[*host]int{}}
	}
	return s
}

// of returns those of a stage's data nodes that have a limit.
func (s dataNodes) of(names []string) (list []*dataNode) {
	for _, name := range names {
		if limited := s[name]; limited != nil && limited.Capacity > 0 {
			list = append(list, limited)
		}
	}
	return list
}

// join and leave count a run among the readers.
func (s *dataNode) join(h *host) {
	s.readers++
	s.hosts[h]++
}

func (s *dataNode) leave(h *host) {
	s.readers--
	if s.hosts[h]--; s.hosts[h] == 0 {
		delete(s.hosts, h)
	}
	if s.readers == 0 {
		s.demand = 0 // what rounding left
	}
}

// saturate computes the readers' factor anew, and reports whether it changed.
func (s *dataNode) saturate() bool {
	factor := 1.0
	if s.demand > s.Capacity {
		factor = s.Capacity / s.demand
	}
	changed := math.Abs(factor-s.factor) > 1e-12
	if changed {
		s.factor = factor
	}
	return changed
}

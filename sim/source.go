package sim

import "math"

// source is a data node in use. Its readers' demand is equation 5 of MIMP: what
// a task reads on an idle core, over its NormTCT at its residual.
type source struct {
	Source
	demand  float64 // bytes/s
	readers int
	factor  float64 // of what its readers want, that they get
	hosts   map[*host]int
}

type sources map[string]*source

func newSources(list []Source) sources {
	s := make(sources, len(list))
	for _, each := range list {
		s[each.Name] = &source{Source: each, factor: 1, hosts: map[*host]int{}}
	}
	return s
}

// of are the limited ones among a stage's sources.
func (s sources) of(names []string) (list []*source) {
	for _, name := range names {
		if limited := s[name]; limited != nil && limited.Capacity > 0 {
			list = append(list, limited)
		}
	}
	return list
}

// join and leave count a run among the readers.
func (s *source) join(h *host) {
	s.readers++
	s.hosts[h]++
}

func (s *source) leave(h *host) {
	s.readers--
	if s.hosts[h]--; s.hosts[h] == 0 {
		delete(s.hosts, h)
	}
	if s.readers == 0 {
		s.demand = 0 // what rounding left
	}
}

// saturate finds the readers' factor anew, and reports whether it changed.
func (s *source) saturate() bool {
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

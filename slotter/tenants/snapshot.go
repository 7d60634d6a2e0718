package tenants

import (
	"lull/slotter/steering"
	"maps"
	"slices"
)

// SteererForm is what a snapshot keeps.
type SteererForm struct {
	Ends  []steering.Ended `msgpack:"ends,omitempty"`
	Next  int              `msgpack:"next,omitempty"`
	Types []string         `msgpack:"types,omitempty"` // sorted
	Last  []float64        `msgpack:"last,omitempty"`
	Jobs  []string         `msgpack:"jobs,omitempty"` // sorted
	Began []int64          `msgpack:"began,omitempty"`
}

// Save returns what a snapshot keeps, nil for nothing.
func (s *Steerer) Save() *SteererForm {
	if len(s.last)+len(s.began) == 0 {
		return nil
	}
	f := &SteererForm{Ends: s.past.Ends, Next: s.past.Next, Types: slices.Sorted(maps.Keys(s.last)), Jobs: slices.Sorted(maps.Keys(s.began))}
	for _, t := range f.Types {
		f.Last = append(f.Last, s.last[t])
	}
	for _, j := range f.Jobs {
		f.Began = append(f.Began, s.began[j])
	}
	return f
}

// Load takes over what a snapshot kept.
func (s *Steerer) Load(f *SteererForm) {
	if f == nil {
		return
	}
	s.past = steering.Past{Ends: f.Ends, Next: f.Next}
	for i, t := range f.Types[:min(len(f.Types), len(f.Last))] {
		s.last[t] = f.Last[i]
	}
	for i, j := range f.Jobs[:min(len(f.Jobs), len(f.Began))] {
		s.began[j] = f.Began[i]
	}
}

package spec

import "iter"

// Predecessors yields the stages that must be over before s begins: those that it reads, and those that
// it comes after.
func (s *Stage) Predecessors() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, f := range s.From {
			if !yield(int(f.Stage)) {
				return
			}
		}
		for _, after := range s.After {
			if !yield(int(after)) {
				return
			}
		}
	}
}

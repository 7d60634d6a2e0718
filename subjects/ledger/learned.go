package ledger

import (
	"cmp"
	"slices"
)

// keepLearned is how many models are kept whose type no open job has, those that were
// learned of last. A pool in which every job has a type of its own must not grow.
const keepLearned = 1000

// learned is what the log says of models, by their names: see spec.Job.Model.
type learned[V any] struct {
	of    map[string]V
	names []string          // keys of of, sorted
	at    map[string]uint64 // log sequence of the last word on each
}

func newLearned[V any]() learned[V] {
	return learned[V]{of: map[string]V{}, at: map[string]uint64{}}
}

func (l *learned[V]) put(name string, v V, seq uint64) {
	if at, known := slices.BinarySearch(l.names, name); !known {
		l.names = slices.Insert(l.names, at, name)
	}
	l.of[name], l.at[name] = v, seq
}

// crowded reports whether something is to be forgotten. A quarter more than is kept may
// gather, so that what is in use is looked up once for many models.
func (l *learned[V]) crowded() bool { return len(l.names) >= keepLearned+keepLearned/4 }

// forget drops what is not in use, but for the last keepLearned names.
func (l *learned[V]) forget(used map[string]bool) {
	idle := slices.DeleteFunc(slices.Clone(l.names), func(name string) bool { return used[name] })
	slices.SortFunc(idle, func(a, b string) int { return cmp.Or(cmp.Compare(l.at[a], l.at[b]), cmp.Compare(a, b)) })
	for _, name := range idle[:max(len(idle)-keepLearned, 0)] {
		delete(l.of, name)
		delete(l.at, name)
	}
	l.names = slices.DeleteFunc(l.names, func(name string) bool { _, kept := l.at[name]; return !kept })
}

// forgetLearned bounds what is kept of models.
func (s *State) forgetLearned() {
	if !s.models.crowded() && !s.responses.crowded() {
		return
	}
	used := s.usedModels()
	s.models.forget(used)
	s.responses.forget(used)
}

// usedModels are the models of all open jobs.
func (s *State) usedModels() map[string]bool {
	used := map[string]bool{}
	for j := range s.live.All() {
		for i := range j.Shape.Stages {
			used[j.Shape.Model(i)] = true
		}
	}
	return used
}

// packed lists what is learned, and when, in the order of the names.
func (l *learned[V]) packed() (values []V, at []uint64) {
	for _, name := range l.names {
		values, at = append(values, l.of[name]), append(at, l.at[name])
	}
	return values, at
}

// load fills l from lists in the order of the names. Snapshots of earlier versions have
// no times.
func (l *learned[V]) load(names []string, values []V, at []uint64) {
	for i, name := range names {
		seq := uint64(0)
		if i < len(at) {
			seq = at[i]
		}
		l.put(name, values[i], seq)
	}
}

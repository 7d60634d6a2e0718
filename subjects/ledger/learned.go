package ledger

import (
	"cmp"
	"slices"

	"lull/subjects/sorted"
)

// keepLearned is how many models of types without an open job are kept: the newest. A pool in which
// every job has a type of its own must not grow.
const keepLearned = 1000

// learned is what the log says of models, by their names: see spec.Job.Model.
type learned[V any] struct {
	of    map[string]V
	names []string          // keys of of, sorted
	at    map[string]uint64 // log sequence of the last word on each
	idle  sorted.List[idleModel, struct{}]
	uses  uses
}

// idleModel is when something was last learnt of a model without an open job.
type idleModel struct {
	at   uint64
	name string
}

// uses counts the stages of open jobs that have a model, by its name.
type uses map[string]int

func newLearned[V any](u uses) learned[V] {
	return learned[V]{
		of: map[string]V{}, at: map[string]uint64{}, uses: u,
		idle: sorted.New[idleModel, struct{}](func(a, b idleModel) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.name, b.name)) }),
	}
}

func (l *learned[V]) put(name string, v V, seq uint64) {
	if at, known := slices.BinarySearch(l.names, name); !known {
		l.names = slices.Insert(l.names, at, name)
	}
	l.markUsed(name)
	l.of[name], l.at[name] = v, seq
	l.markIdle(name)
}

// markUsed notes that an open job uses a model.
func (l *learned[V]) markUsed(name string) { l.idle.Remove(idleModel{l.at[name], name}) }

// markIdle notes that a model may have no open job any more.
func (l *learned[V]) markIdle(name string) {
	if at, known := l.at[name]; known && l.uses[name] == 0 {
		l.idle.Insert(idleModel{at, name})
	}
}

// crowded reports whether some models have to be forgotten.
func (l *learned[V]) crowded() bool { return len(l.names) >= keepLearned+keepLearned/4 }

// forget drops what is not in use, but for the last keepLearned names.
func (l *learned[V]) forget() {
	for l.idle.Len() > keepLearned {
		oldest, _ := l.idle.First()
		l.idle.Remove(oldest)
		delete(l.of, oldest.name)
		delete(l.at, oldest.name)
		if at, known := slices.BinarySearch(l.names, oldest.name); known {
			l.names = slices.Delete(l.names, at, at+1)
		}
	}
}

// forgetLearned bounds what is kept of models.
func (s *State) forgetLearned() {
	if s.models.crowded() || s.responses.crowded() {
		s.models.forget()
		s.responses.forget()
		s.findFetchRate()
	}
}

// openJob adds a job to those that are open.
func (s *State) openJob(j *Job) {
	s.live.Insert(j)
	for i := range j.Shape.Stages {
		name := j.Shape.Model(i)
		if s.uses[name]++; s.uses[name] == 1 {
			s.models.markUsed(name)
			s.responses.markUsed(name)
		}
	}
}

// closeJob removes a job from those that are open, if it is one.
func (s *State) closeJob(j *Job) {
	if !s.live.Remove(j) {
		return
	}
	s.Followers.forget(j)
	for i := range j.Shape.Stages {
		name := j.Shape.Model(i)
		if s.uses[name]--; s.uses[name] == 0 {
			delete(s.uses, name)
			s.models.markIdle(name)
			s.responses.markIdle(name)
		}
	}
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

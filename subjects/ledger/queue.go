package ledger

import (
	"iter"
	"slices"
	"strings"

	"lull/subjects"
)

// Queue is what operators set for a queue. The default is a weight of 1 and no limit.
type Queue struct {
	Name   string       `msgpack:"Name"`
	Weight float64      `msgpack:"Weight"`
	Jobs   uint32       `msgpack:"Jobs"`         // that run at once, 0 for any number
	By     *Attribution `msgpack:"By,omitempty"` // nil if no one is named
}

// shared folds an operator's setting of a queue's share. A weight of 0 resets it.
func (s *State) shared(e *subjects.Shared) Verdict {
	at, known := s.queue(e.Queue)
	set := Queue{e.Queue, e.Weight, e.Jobs, s.operatorAttribution(e.User, e.Who, "")}
	switch {
	case e.Weight <= 0 && !known:
		return void("no operator has set this queue")
	case e.Weight <= 0:
		s.queues = slices.Delete(s.queues, at, at+1)
	case known:
		s.queues[at] = set
	default:
		s.queues = slices.Insert(s.queues, at, set)
	}
	return accepted
}

// queue returns the index of a queue among those that were set, or the index at which to insert it.
func (s *State) queue(name string) (int, bool) {
	return slices.BinarySearchFunc(s.queues, name, func(q Queue, name string) int { return strings.Compare(q.Name, name) })
}

// Queue returns the setting of a queue, and whether an operator made one.
func (s *State) Queue(name string) (Queue, bool) {
	if at, known := s.queue(name); known {
		return s.queues[at], true
	}
	return Queue{Name: name, Weight: 1}, false
}

// Queues returns the queues that operators have set, by name.
func (s *State) Queues() iter.Seq[Queue] {
	return func(yield func(Queue) bool) {
		for _, q := range s.queues {
			if !yield(q) {
				return
			}
		}
	}
}

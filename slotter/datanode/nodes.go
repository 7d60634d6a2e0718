package datanode

import (
	"math"
	"slices"
	"strings"

	"lull/subjects/ledger"
)

// Nodes are the data nodes that stages read from, with what reads from them. Make
// it with New.
type Nodes struct {
	of      map[string]*Node
	byName  []*Node
	limited int // nodes of known capacity
	stages  map[*ledger.Stage]*Reading
	room    int // stages at which those of ended jobs are dropped
	intakes map[*ledger.Host][]intake
	spare   []intake // room for the next host's
}

// New returns the data nodes of known capacity; see Validate.
func New(known []Config) *Nodes {
	s := &Nodes{room: 64, of: map[string]*Node{}, stages: map[*ledger.Stage]*Reading{}, intakes: map[*ledger.Host][]intake{}}
	for _, k := range known {
		s.node(k.Name).configured = int64(math.Max(1, math.Min(k.Capacity, MaxRate)))
	}
	s.count()
	return s
}

// All lists the nodes by name.
func (s *Nodes) All() []*Node { return s.byName }

// Get returns the node of a name, nil if there is none.
func (s *Nodes) Get(name string) *Node { return s.of[name] }

// Limited reports whether the capacity of any node is known. If not, no node is full.
func (s *Nodes) Limited() bool { return s.limited > 0 }

// count finds out how many nodes limit anything.
func (s *Nodes) count() {
	s.limited = 0
	for _, n := range s.byName {
		if n.Capacity() > 0 {
			s.limited++
		}
	}
}

// node returns the node of a name, making it if need be.
func (s *Nodes) node(name string) *Node {
	if n := s.of[name]; n != nil {
		return n
	}
	n := &Node{name: name, learnt: Learnt{Name: name}}
	s.of[name] = n
	at, _ := slices.BinarySearchFunc(s.byName, name, func(n *Node, name string) int { return strings.Compare(n.name, name) })
	s.byName = slices.Insert(s.byName, at, n)
	return n
}

// Crowded reports whether so many stages are remembered that it is time to Forget.
func (s *Nodes) Crowded() bool { return len(s.stages) > s.room }

// Forget drops what is remembered of stages: their outputs may be elsewhere now, or
// their jobs over. Nodes without readers, limit and trials go with it. live is the
// number of stages of the live jobs, so that the next time is not too soon.
func (s *Nodes) Forget(live int) {
	clear(s.stages)
	s.room = 64 + 2*live
	s.trim()
	s.byName = slices.DeleteFunc(s.byName, func(n *Node) bool {
		idle := n.readers == 0 && n.configured == 0 && n.learnt.empty()
		if idle {
			delete(s.of, n.name)
		}
		return idle
	})
}

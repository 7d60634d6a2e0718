package datanode

import (
	"math"
	"slices"
	"strings"

	"lull/subjects/ledger"
)

// Nodes are the data nodes that stages read from, with the attempts that read from
// them. Make it with New.
type Nodes struct {
	of      map[string]*Node
	byName  []*Node
	limited int // nodes of known capacity
	stages  map[*ledger.Stage]*Reading
	room    int                       // length of stages beyond which it is time to Forget
	intakes map[*ledger.Host][]intake // of the attempts that run on each host
	spare   []intake                  // an unused slice for the intakes of the next host
}

// New returns the data nodes of configured capacity. Check the list with Validate first.
func New(known []Config) *Nodes {
	s := &Nodes{room: 64, of: map[string]*Node{}, stages: map[*ledger.Stage]*Reading{}, intakes: map[*ledger.Host][]intake{}}
	for _, k := range known {
		s.node(k.Name).configured = int64(math.Max(1, math.Min(k.Capacity, MaxRate)))
	}
	s.count()
	return s
}

// All returns the nodes, sorted by name.
func (s *Nodes) All() []*Node { return s.byName }

// Get returns the node of a name, nil if there is none.
func (s *Nodes) Get(name string) *Node { return s.of[name] }

// Limited reports whether the capacity of any node is known. If not, no node is full.
func (s *Nodes) Limited() bool { return s.limited > 0 }

// count counts the nodes of known capacity.
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

// ShouldForget reports whether so many stages are remembered that it is time to Forget.
func (s *Nodes) ShouldForget() bool { return len(s.stages) > s.room }

// Forget drops what is remembered of stages: their outputs may be on other hosts now, or
// their jobs have ended. It also drops nodes that have no readers, no configured capacity
// and nothing learnt. live is the number of stages of the live jobs: ShouldForget is false until
// there are clearly more.
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

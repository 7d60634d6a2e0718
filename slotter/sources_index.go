package slotter

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// reading is what a stage's tasks read.
type reading struct {
	nodes []*node
	bytes int64  // input of a task, 0 if it is not known
	model string // that knows how fast they read
}

// sources are the data nodes, and who reads from them.
type sources struct {
	of      map[string]*node
	byName  []*node
	limited int // nodes of known capacity
	stages  map[*ledger.Stage]*reading
	room    int // stages at which those of ended jobs are dropped
	intakes map[*host][]intake
	spare   []intake // room for the next host's
}

func newSources(known []Source) sources {
	s := sources{room: 64, of: map[string]*node{}, stages: map[*ledger.Stage]*reading{}, intakes: map[*host][]intake{}}
	for _, k := range known {
		s.node(k.Name).configured = int64(math.Max(1, math.Min(k.Capacity, maxRate)))
	}
	s.count()
	return s
}

// count finds out how many nodes limit anything.
func (s *sources) count() {
	s.limited = 0
	for _, n := range s.byName {
		if n.capacity() > 0 {
			s.limited++
		}
	}
}

// node returns the node of a name, making it if need be.
func (s *sources) node(name string) *node {
	if n := s.of[name]; n != nil {
		return n
	}
	n := &node{name: name, learnt: learnt{Name: name}}
	s.of[name] = n
	at, _ := s.find(name)
	s.byName = slices.Insert(s.byName, at, n)
	return n
}

func (s *sources) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s.byName, name, func(n *node, name string) int { return strings.Compare(n.name, name) })
}

// reading is what a stage's tasks read, nil if no data node is known for them.
func (s *sources) reading(state *ledger.State, j *ledger.Job, stage int) *reading {
	st := &j.Shape.Stages[stage]
	if len(st.Sources) == 0 && len(st.From) == 0 {
		return nil
	}
	rd, ok := s.stages[j.Stages[stage]]
	if !ok {
		rd = s.look(state, j, stage, st)
		s.stages[j.Stages[stage]] = rd
	}
	return rd
}

func (s *sources) look(state *ledger.State, j *ledger.Job, stage int, st *spec.Stage) *reading {
	rd := &reading{bytes: j.Stages[stage].Bytes, model: j.Shape.Model(stage)}
	names := st.Sources
	if len(names) == 0 {
		names = keepers(state, j, st)
	}
	for _, name := range names {
		rd.nodes = append(rd.nodes, s.node(name))
	}
	if len(rd.nodes) == 0 {
		return nil
	}
	return rd
}

// moved drops what is remembered of stages that read a stage's outputs.
func (s *sources) moved(j *ledger.Job, stage uint32) {
	for i := range j.Shape.Stages {
		if slices.ContainsFunc(j.Shape.Stages[i].From, func(f spec.From) bool { return f.Stage == stage }) {
			delete(s.stages, j.Stages[i])
		}
	}
}

// keepers are the agents that hold what a stage reads of earlier ones.
func keepers(state *ledger.State, j *ledger.Job, st *spec.Stage) (names []string) {
	seen := map[*ledger.Host]bool{}
	for _, f := range st.From {
		for kept := range state.Outputs(j, int(f.Stage)) {
			if !seen[kept.Host] {
				seen[kept.Host] = true
				names = append(names, "agent:"+kept.Host.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

func checkSources(known []Source) error {
	for i, k := range known {
		if !spec.SourceName(k.Name) {
			return fmt.Errorf("slotter: %.80q is no data node: name it as stages do, such as nfs:filer1", k.Name)
		}
		if !(k.Capacity >= 1 && k.Capacity <= maxRate) {
			return fmt.Errorf("slotter: the capacity of %s is %v bytes/s: give 1 to %g", k.Name, k.Capacity, maxRate)
		}
		if slices.ContainsFunc(known[:i], func(other Source) bool { return other.Name == k.Name }) {
			return fmt.Errorf("slotter: data node %s is given twice: keep one capacity", k.Name)
		}
	}
	return nil
}

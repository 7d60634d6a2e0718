package slotter

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Source is a data node whose capacity is known.
type Source struct {
	// Name as stages give it, such as nfs:filer1: see spec.Stage.Sources. The
	// agent of a host, from which later stages read, is agent:<host>.
	Name string
	// Capacity is what it gives at most, in bytes/s.
	Capacity float64
}

// node is a data node: a file server, a disk, a web server, a host's agent.
type node struct {
	name       string
	configured int64 // capacity in bytes/s, 0 if nobody said
	learnt     learnt

	// What the tasks that run are predicted to read. Whole bytes, so that the
	// sum does not depend on the order in which it was made.
	load    int64
	readers int
	at      int64   // when area was brought up to date
	area    float64 // ∫ load dt, in bytes, to have the mean over a task's life

	round   uint64 // that what is planned is of
	planned int64
	joining int
}

// capacity is what the node can give, in bytes/s; 0 if that is not known.
func (n *node) capacity() int64 {
	if n.configured > 0 {
		return n.configured
	}
	return n.learnt.Capacity
}

// refuses reports whether one task more overloads the node. One may always
// read, or a job that asks for more than there is would wait for ever.
func (n *node) refuses(rate int64, round uint64) bool {
	load, readers := n.load, n.readers
	if n.round == round {
		load, readers = load+n.planned, readers+n.joining
	}
	capacity := n.capacity()
	return capacity > 0 && rate > 0 && readers > 0 && load+rate > capacity
}

func (n *node) plan(rate int64, round uint64) {
	if n.round != round {
		n.round, n.planned, n.joining = round, 0, 0
	}
	n.planned += rate
	n.joining++
}

// reading is what a stage's tasks read.
type reading struct {
	nodes []*node
	bytes int64  // input of a task, 0 if it is not known
	model string // that knows how fast they read
}

// maxRate bounds what one task reads, in bytes/s: a million of them still add
// up to a number.
const maxRate = 1e12

// readRate is IO_j(r), equation 5: what a task is predicted to read per second on a
// slot with this residual, from each of its data nodes. As long as nobody has
// measured it, it is the input over the predicted time.
func (a *Actor) readRate(rd *reading, c *tct.Curve, residual float64) int64 {
	var rate float64
	if m := a.state.Model(rd.model); m != nil && m.Read90 > 0 {
		rate = m.Read90 / c.Norm(residual)
	} else {
		rate = float64(rd.bytes) / c.Seconds(residual)
	}
	return int64(math.Max(0, math.Min(rate, maxRate)) / float64(len(rd.nodes)))
}

// saturated reports whether one task more of the work asks for more than one of
// its data nodes can give (rule iii). A node of unknown capacity limits nothing.
func (r *round) saturated(w *work, residual float64) bool {
	s := &r.a.sources
	if s.limited == 0 {
		return false
	}
	rd := s.reading(r.a.state, w.job.life, w.stage)
	if rd == nil {
		return false
	}
	rate := r.a.readRate(rd, w.curve, residual)
	return slices.ContainsFunc(rd.nodes, func(n *node) bool { return n.refuses(rate, r.a.rounds) })
}

// reads notes that a task of the work was given away at this residual, until
// the log brings it back.
func (r *round) reads(w *work, residual float64) {
	s := &r.a.sources
	if s.limited == 0 {
		return
	}
	if rd := s.reading(r.a.state, w.job.life, w.stage); rd != nil {
		rate := r.a.readRate(rd, w.curve, residual)
		for _, n := range rd.nodes {
			n.plan(rate, r.a.rounds)
		}
	}
}

// sources are the data nodes, and who reads from them.
type sources struct {
	of      map[string]*node
	byName  []*node
	limited int // nodes of known capacity
	stages  map[*ledger.Stage]*reading
	room    int // stages at which those of ended jobs are dropped
	intakes map[*host][]intake
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
	st := &j.Spec.Stages[stage]
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
	rd := &reading{bytes: st.Bytes, model: j.Spec.Model(stage)}
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

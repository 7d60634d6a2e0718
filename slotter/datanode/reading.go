package datanode

import (
	"math"
	"slices"

	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Reading is what a stage's tasks read.
type Reading struct {
	nodes []*Node
	bytes int64  // input of a task, 0 if it is not known
	model string // of the stage: it knows how fast its tasks read
}

// Reading returns what a stage's tasks read, nil if no data node is known for them.
func (s *Nodes) Reading(state *ledger.State, j *ledger.Job, stage int) *Reading {
	st := &j.Shape.Stages[stage]
	if len(st.Sources) == 0 && len(st.From) == 0 {
		return nil
	}
	rd, ok := s.stages[j.Stages[stage]]
	if !ok {
		rd = s.resolve(state, j, stage, st)
		s.stages[j.Stages[stage]] = rd
	}
	return rd
}

func (s *Nodes) resolve(state *ledger.State, j *ledger.Job, stage int, st *spec.Stage) *Reading {
	rd := &Reading{bytes: j.Stages[stage].Bytes, model: j.Shape.Model(stage)}
	names := st.Sources
	if len(names) == 0 {
		names = agentsWithOutputs(state, j, st)
	}
	for _, name := range names {
		rd.nodes = append(rd.nodes, s.node(name))
	}
	if len(rd.nodes) == 0 {
		return nil
	}
	return rd
}

// agentsWithOutputs are the agents that keep what a stage reads of earlier ones.
func agentsWithOutputs(state *ledger.State, j *ledger.Job, st *spec.Stage) (names []string) {
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

// OutputsMoved drops what is remembered of the stages that read a stage's outputs.
func (s *Nodes) OutputsMoved(j *ledger.Job, stage uint32) {
	for i := range j.Shape.Stages {
		if slices.ContainsFunc(j.Shape.Stages[i].From, func(f spec.From) bool { return f.Stage == stage }) {
			delete(s.stages, j.Stages[i])
		}
	}
}

// Nodes lists the data nodes that each task reads from.
func (rd *Reading) Nodes() []*Node { return rd.nodes }

// Rate is IO_j(r), equation 5: what a task is predicted to read per second on a slot with this
// residual, from each of its data nodes. Until the rate was measured, it is the input over the
// predicted time.
func (rd *Reading) Rate(state *ledger.State, c *tct.Curve, residual float64) int64 {
	var rate float64
	if m := state.Model(rd.model); m != nil && m.Read90 > 0 {
		rate = m.Read90 / c.Norm(residual)
	} else {
		rate = float64(rd.bytes) / c.Seconds(residual)
	}
	return int64(math.Max(0, math.Min(rate, MaxRate)) / float64(len(rd.nodes)))
}

// Full reports whether one task more, which reads at this rate from each of the
// nodes, asks for more than one of them can give. A node of unknown capacity
// limits nothing.
func (rd *Reading) Full(rate int64, round uint64) bool {
	return slices.ContainsFunc(rd.nodes, func(n *Node) bool { return n.Full(rate, round) })
}

// Plan counts a task that the round assigns, until the log brings it back.
func (rd *Reading) Plan(rate int64, round uint64) {
	for _, n := range rd.nodes {
		n.plan(rate, round)
	}
}

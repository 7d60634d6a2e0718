package slotter

import (
	"cmp"
	"math"
	"slices"

	"lull/subjects"
)

// maxAnswer is how many data nodes one answer lists. Each takes at most some
// 200 bytes; a message holds a mebibyte.
const maxAnswer = 2000

// answerSources lists the data nodes that are in use or have a limit, or those
// of one job, by name.
func (a *Actor) answerSources(body []byte) *subjects.SourcesAnswer {
	var ask subjects.SourcesAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.SourcesAnswer{Error: err.Error()}
	}
	waits := a.awaited(ask.Job)
	answer := &subjects.SourcesAnswer{}
	for _, n := range a.sources.byName {
		_, mine := waits[n]
		if ask.Job == "" && (n.readers > 0 || n.capacity() > 0) || mine {
			answer.Nodes = append(answer.Nodes, n.tell(waits[n]))
		}
	}
	if len(answer.Nodes) > maxAnswer {
		slices.SortStableFunc(answer.Nodes, func(a, b subjects.DataNode) int { return cmp.Compare(b.Load, a.Load) })
		answer.Nodes = answer.Nodes[:maxAnswer]
	}
	return answer
}

func (n *node) tell(waits bool) subjects.DataNode {
	return subjects.DataNode{
		Name: n.name, Load: float64(n.load), Readers: uint32(n.readers),
		Capacity: float64(n.capacity()), Learnt: n.configured == 0 && n.capacity() > 0, Waits: waits,
	}
}

// awaited are the data nodes of a job's stages that have tasks to start, and
// whether a task waits for the node, even on an idle core.
func (a *Actor) awaited(id string) map[*node]bool {
	waits := map[*node]bool{}
	life := a.state.Job(id)
	if life == nil || !life.Live() {
		return waits
	}
	for i, st := range life.Stages {
		if st.Waiting() == 0 || !life.Ready(i) {
			continue
		}
		rd := a.sources.reading(a.state, life, i)
		if rd == nil {
			continue
		}
		curve := a.curves.Of(a.state.Model(life.Shape.Model(i)), life.Shape.Stages[i].Estimate, st.Bytes)
		rate := a.readRate(rd, curve, 1)
		for _, n := range rd.nodes {
			waits[n] = waits[n] || n.refuses(rate, math.MaxUint64)
		}
	}
	return waits
}

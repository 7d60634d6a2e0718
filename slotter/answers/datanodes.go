package answers

import (
	"cmp"
	"math"
	"slices"

	"lull/slotter/datanode"
	"lull/subjects"
)

// maxNodes is how many data nodes one answer lists. Each takes at most some
// 200 bytes; a message holds a mebibyte.
const maxNodes = 2000

// nodes lists the data nodes that are in use or have a limit, or those of one job, by name.
func (f *Facts) nodes(body []byte) *subjects.DataNodesAnswer {
	var ask subjects.DataNodesAsk
	if err := subjects.Unmarshal(body, &ask); err != nil {
		return &subjects.DataNodesAnswer{Error: err.Error()}
	}
	waits := f.awaited(ask.Job)
	answer := &subjects.DataNodesAnswer{}
	for _, n := range f.DataNodes.All() {
		_, mine := waits[n]
		if ask.Job == "" && (n.Readers() > 0 || n.Capacity() > 0) || mine {
			answer.Nodes = append(answer.Nodes, n.Describe(waits[n]))
		}
	}
	if len(answer.Nodes) > maxNodes {
		slices.SortStableFunc(answer.Nodes, func(a, b subjects.DataNode) int { return cmp.Compare(b.Load, a.Load) })
		answer.Nodes = answer.Nodes[:maxNodes]
	}
	return answer
}

// awaited returns the data nodes of a job's stages with tasks to start, and whether a task waits
// for the node, even on an idle core.
func (f *Facts) awaited(id string) map[*datanode.Node]bool {
	waits := map[*datanode.Node]bool{}
	life := f.State.Job(id)
	if life == nil || !life.Live() {
		return waits
	}
	for i, st := range life.Stages {
		if st.Waiting() == 0 || !life.Ready(i) {
			continue
		}
		rd := f.DataNodes.Reading(f.State, life, i)
		if rd == nil {
			continue
		}
		curve := f.Curves.Of(f.State.Model(life.Shape.Model(i)), life.Shape.Stages[i].Guess(st.Bytes), st.Bytes)
		rate := rd.Rate(f.State, curve, 1)
		for _, n := range rd.Nodes() {
			waits[n] = waits[n] || n.Full(rate, math.MaxUint64)
		}
	}
	return waits
}

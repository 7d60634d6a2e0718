package slotter

import (
	"cmp"
	"fmt"
	"slices"

	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// pace learns from a finished run what its data nodes could give. It must be
// called before the host is settled: after that, nobody knows what the attempt
// read.
func (a *Actor) pace(seq uint64, at *ledger.Attempt, run *subjects.Run) {
	h, j := a.hosts.of[at.Host.Name], a.jobs.of[at.Job]
	if h == nil || j == nil {
		return
	}
	slow := a.slowdown(j, int(at.Task.Stage), run)
	for i := range a.sources.intakes[h] {
		in := &a.sources.intakes[h][i]
		if in.attempt != at.ID || in.node.configured > 0 || slow <= 0 {
			continue
		}
		l := &in.node.learnt
		l.Used = seq
		if l.take(trial{Load: in.meanLoad(a.now), Rate: float64(in.rate), Slow: slow}) {
			a.sources.count()
			a.due.slots = true
		}
	}
}

// slowdown is a run's time over the predicted one; 0 if nothing tested the
// prediction. The prediction is for the residual and the input that the task
// turned out to have: what they explain, the data node is not to blame for.
func (a *Actor) slowdown(j *job, stage int, run *subjects.Run) float64 {
	curve := j.stages[stage].curve
	if !curve.Fitted {
		return 0
	}
	expected := curve.Seconds(run.Residual)
	if bytes := j.life.Stages[stage].Bytes; bytes > 0 && run.In > 0 {
		m := a.state.Model(j.life.Shape.Model(stage))
		expected *= tct.Factor(m, float64(run.In)) / tct.Factor(m, float64(bytes))
	}
	slow := run.Seconds / expected
	if width := j.life.Shape.Stages[stage].CPU; computed(run, width) {
		return min(slow, 1)
	}
	return slow
}

// computing is the part of the CPU that its residual leaves a task from which on
// it counts as computing all the time.
const computing = 0.85

// computed reports whether a run used the CPU that it could have all along.
// Whatever made it slow then, be it that its share of the work was larger than
// the others', it did not wait for its input.
func computed(run *subjects.Run, width uint32) bool {
	return run.CPU > 0 && run.CPU >= computing*run.Residual*float64(width)*run.Seconds
}

// keep lists what was learnt, for a snapshot.
func (s *sources) keep() (list []learnt) {
	for _, n := range s.byName {
		if !n.learnt.empty() {
			list = append(list, n.learnt)
		}
	}
	return list
}

// trim forgets what was learnt of the nodes that were not heard of for longest.
func (s *sources) trim() {
	var known []*node
	for _, n := range s.byName {
		if !n.learnt.empty() {
			known = append(known, n)
		}
	}
	if len(known) <= maxNodes {
		return
	}
	slices.SortStableFunc(known, func(a, b *node) int { return cmp.Compare(b.learnt.Used, a.learnt.Used) })
	for _, n := range known[maxNodes:] {
		n.learnt = learnt{Name: n.name}
	}
	s.count()
}

// restore takes over what a snapshot kept.
func (s *sources) restore(list []learnt) error {
	for i, l := range list {
		if i > 0 && l.Name <= list[i-1].Name || l.Capacity < 0 || len(l.Trials) > calm {
			return fmt.Errorf("slotter snapshot: what it learnt of data node %.80q is damaged", l.Name)
		}
		s.node(l.Name).learnt = l
	}
	s.count()
	return nil
}

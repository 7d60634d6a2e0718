package slotter

import (
	"slices"

	"lull/subjects/ledger"
)

// intake is what an attempt is predicted to read from one data node.
type intake struct {
	attempt uint64
	node    *node
	rate    int64   // bytes/s
	since   int64   // when it was seen to run first
	area    float64 // the node's area then
}

// advance brings the node's area up to date.
func (n *node) advance(now int64) {
	if n.at != 0 && now > n.at {
		n.area += float64(n.load) * float64(now-n.at) / 1e9
	}
	n.at = max(n.at, now)
}

// meanLoad is the node's load since the attempt was seen to run, itself
// included.
func (in *intake) meanLoad(now int64) float64 {
	in.node.advance(now)
	seconds := float64(now-in.since) / 1e9
	if seconds <= 0 {
		return float64(in.node.load)
	}
	return (in.node.area - in.area) / seconds
}

// intake counts what the host's attempts read into the loads of data nodes.
// Like their rates, it is kept up host by host, once a round.
func (a *Actor) intake(h *host) {
	s := &a.sources
	if len(s.stages) > s.room {
		a.forget()
	}
	was := s.intakes[h]
	for _, in := range was {
		in.node.advance(a.now)
		in.node.load -= in.rate
		in.node.readers--
	}
	now := a.intakeOf(h, was, s.spare[:0])
	for _, in := range now {
		in.node.load += in.rate
		in.node.readers++
	}
	if len(now) > 0 || len(was) > 0 {
		s.intakes[h], s.spare = now, was
	}
}

// intakeOf adds to now what the attempts read that run, rivals too: those that
// wait for a slot of the host read nothing yet. Was is what they read before,
// by attempt as well.
func (a *Actor) intakeOf(h *host, was, now []intake) []intake {
	residual, used := h.residual(0), 0
	for _, at := range h.life.Attempts() {
		used += int(at.Width)
		rd := a.sources.reading(a.state, at.Job, int(at.Task.Stage))
		if rd == nil || at.State > ledger.Running || used > h.slots {
			continue
		}
		j := a.jobs.of[at.Job]
		if j == nil {
			continue
		}
		rate := a.readRate(rd, j.stages[at.Task.Stage].curve, residual)
		if told := at.Rate(); told > 0 {
			rate = min(rate, int64(told)/int64(len(rd.nodes)))
		}
		var before []intake
		before, was = cut(was, at.ID)
		for i, n := range rd.nodes {
			now = append(now, a.begin(at, n, rate, i, before))
		}
	}
	return now
}

// cut divides a list by attempt into what an attempt read, and what later ones
// did.
func cut(all []intake, attempt uint64) (its, later []intake) {
	for len(all) > 0 && all[0].attempt < attempt {
		all = all[1:]
	}
	n := 0
	for n < len(all) && all[n].attempt == attempt {
		n++
	}
	return all[:n], all[n:]
}

// begin keeps from when on an attempt reads from its i-th node. What it read
// before is in the same order, unless its nodes were found anew: a reduce reads
// from hundreds of agents, and searching for each took a third of a day's run.
func (a *Actor) begin(at *ledger.Attempt, n *node, rate int64, i int, before []intake) intake {
	if i >= len(before) || before[i].node != n {
		i = slices.IndexFunc(before, func(in intake) bool { return in.node == n })
	}
	if i >= 0 {
		before[i].rate = rate
		return before[i]
	}
	n.advance(a.now)
	return intake{attempt: at.ID, node: n, rate: rate, since: a.now, area: n.area}
}

// forget drops what is remembered of stages: their outputs may be elsewhere
// now, or their jobs over. Nodes that nobody speaks of any more go with it.
func (a *Actor) forget() {
	s := &a.sources
	clear(s.stages)
	s.room = 64
	for _, j := range a.jobs.bySeq {
		s.room += 2 * len(j.stages)
	}
	s.trim()
	s.byName = slices.DeleteFunc(s.byName, func(n *node) bool {
		idle := n.readers == 0 && n.configured == 0 && n.learnt.empty()
		if idle {
			delete(s.of, n.name)
		}
		return idle
	})
}

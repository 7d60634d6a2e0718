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
	now := a.intakeOf(h, was)
	for _, in := range now {
		in.node.load += in.rate
		in.node.readers++
	}
	if len(now) > 0 || len(was) > 0 {
		s.intakes[h] = now
	}
}

// intakeOf lists what the attempts read that run, rivals too: those that wait
// for a slot of the host read nothing yet.
func (a *Actor) intakeOf(h *host, was []intake) (now []intake) {
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
		for _, n := range rd.nodes {
			now = append(now, a.begin(at, n, rate, was))
		}
	}
	return now
}

// begin keeps from when on an attempt reads.
func (a *Actor) begin(at *ledger.Attempt, n *node, rate int64, was []intake) intake {
	if i := slices.IndexFunc(was, func(in intake) bool { return in.attempt == at.ID && in.node == n }); i >= 0 {
		was[i].rate = rate
		return was[i]
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

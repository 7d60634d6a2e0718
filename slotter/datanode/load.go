package datanode

import (
	"slices"

	"lull/subjects/ledger"
)

// Reader is an attempt that runs and reads.
type Reader struct {
	Attempt uint64
	Reading *Reading
	Rate    int64 // bytes/s from each of its nodes
}

// intake is what an attempt is predicted to read from one data node.
type intake struct {
	attempt uint64
	node    *Node
	rate    int64   // bytes/s
	since   int64   // when it was seen to run first
	area    float64 // the node's area then
}

// advance brings the node's area up to date.
func (n *Node) advance(now int64) {
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

// Update counts what a host's attempts read into the loads of data nodes, instead
// of what they read at the last Update. readers are in the order of their attempts.
func (s *Nodes) Update(host *ledger.Host, readers []Reader, now int64) {
	was := s.intakes[host]
	for _, in := range was {
		in.node.advance(now)
		in.node.load -= in.rate
		in.node.readers--
	}
	is := s.intakesOf(readers, was, now)
	for _, in := range is {
		in.node.load += in.rate
		in.node.readers++
	}
	if len(is) > 0 || len(was) > 0 {
		s.intakes[host], s.spare = is, was
	}
}

// DropHost forgets a host that has no attempts any more.
func (s *Nodes) DropHost(host *ledger.Host) { delete(s.intakes, host) }

// intakesOf lists what the readers read, given what they did before.
func (s *Nodes) intakesOf(readers []Reader, was []intake, now int64) []intake {
	is := s.spare[:0]
	for _, r := range readers {
		var before []intake
		before, was = cutAttempt(was, r.Attempt)
		for i, n := range r.Reading.nodes {
			is = append(is, r.begin(n, i, before, now))
		}
	}
	return is
}

// cutAttempt divides a list that is ordered by attempt into what an attempt read, and what later
// ones read.
func cutAttempt(all []intake, attempt uint64) (its, later []intake) {
	for len(all) > 0 && all[0].attempt < attempt {
		all = all[1:]
	}
	n := 0
	for n < len(all) && all[n].attempt == attempt {
		n++
	}
	return all[:n], all[n:]
}

// begin keeps the time from which on an attempt reads from its i-th node. The entries of before are
// in the same order, unless its nodes were resolved anew. A reduce reads from hundreds of agents,
// and searching for each took a third of a day's run.
func (r *Reader) begin(n *Node, i int, before []intake, now int64) intake {
	if i >= len(before) || before[i].node != n {
		i = slices.IndexFunc(before, func(in intake) bool { return in.node == n })
	}
	if i >= 0 {
		before[i].rate = r.Rate
		return before[i]
	}
	n.advance(now)
	return intake{attempt: r.Attempt, node: n, rate: r.Rate, since: now, area: n.area}
}

// Learn learns from a finished attempt what its data nodes can give, and reports
// whether a limit changed. slow is the attempt's time over the predicted one, 0 if
// nothing tested the prediction; seq is the entry in the log. It must come before
// the host's next Update, which drops what the attempt read.
func (s *Nodes) Learn(seq uint64, host *ledger.Host, attempt uint64, slow float64, now int64) (changed bool) {
	for i := range s.intakes[host] {
		in := &s.intakes[host][i]
		if in.attempt != attempt || in.node.configured > 0 || slow <= 0 {
			continue
		}
		l := &in.node.learnt
		l.Used = seq
		if l.learnFrom(trial{Load: in.meanLoad(now), Rate: float64(in.rate), Slow: slow}) {
			s.count()
			changed = true
		}
	}
	return changed
}

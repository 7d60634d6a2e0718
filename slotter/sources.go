package slotter

import (
	"math"
	"slices"

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

// demand is what a work's tasks ask of data nodes. Works last for a round.
type demand struct {
	asked   bool
	reading *reading // once asked for
	// refused are the steps of residuals at which a node is full: it stays so,
	// because loads only grow within a round.
	refused [tct.Steps/64 + 1]uint64
}

// demand returns what the work's tasks read, nil if no data node is known.
func (r *round) demand(w *work) *reading {
	if d := &w.demand; !d.asked {
		d.asked, d.reading = true, r.a.sources.reading(r.a.state, w.job.life, w.stage)
	}
	return w.demand.reading
}

// saturated reports whether one task more of the work asks for more than one of
// its data nodes can give (rule iii). A node of unknown capacity limits nothing.
func (r *round) saturated(w *work, residual float64) bool {
	if r.a.sources.limited == 0 {
		return false
	}
	rd, step := r.demand(w), tct.Step(residual)
	if rd == nil {
		return false
	}
	word, bit := &w.demand.refused[step/64], uint64(1)<<(step%64)
	if *word&bit != 0 {
		return true
	}
	rate := r.a.readRate(rd, w.curve, residual)
	full := slices.ContainsFunc(rd.nodes, func(n *node) bool { return n.refuses(rate, r.a.rounds) })
	if full {
		*word |= bit
	}
	return full
}

// reads notes that a task of the work was given away at this residual, until
// the log brings it back.
func (r *round) reads(w *work, residual float64) {
	if r.a.sources.limited == 0 {
		return
	}
	if rd := r.demand(w); rd != nil {
		rate := r.a.readRate(rd, w.curve, residual)
		for _, n := range rd.nodes {
			n.plan(rate, r.a.rounds)
		}
	}
}

package slotter

import (
	"lull/slotter/datanode"
	"lull/subjects/tct"
)

// demand is what a work's tasks ask of data nodes. Works last for a round.
type demand struct {
	asked   bool
	reading *datanode.Reading // once asked for
	// refused are the steps of residuals at which a node is full: it stays so,
	// because loads only grow within a round.
	refused [tct.Steps/64 + 1]uint64
}

// demand returns what the work's tasks read, nil if no data node is known.
func (r *round) demand(w *work) *datanode.Reading {
	if d := &w.demand; !d.asked {
		d.asked, d.reading = true, r.a.dataNodes.Reading(r.a.state, w.job.life, w.stage)
	}
	return w.demand.reading
}

// saturated reports whether one task more of the work asks for more than one of
// its data nodes can give (rule iii).
func (r *round) saturated(w *work, residual float64) bool {
	if !r.a.dataNodes.Limited() {
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
	full := rd.Full(rd.Rate(r.a.state, w.curve, residual), r.a.rounds)
	if full {
		*word |= bit
	}
	return full
}

// planReads notes that a task of the work was assigned at this residual, until
// the log brings it back.
func (r *round) planReads(w *work, residual float64) {
	if !r.a.dataNodes.Limited() {
		return
	}
	if rd := r.demand(w); rd != nil {
		rd.Plan(rd.Rate(r.a.state, w.curve, residual), r.a.rounds)
	}
}

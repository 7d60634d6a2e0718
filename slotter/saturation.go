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
func (f *facts) demand(w *work) *datanode.Reading {
	if d := &w.demand; !d.asked {
		d.asked, d.reading = true, f.dataNodes.Reading(f.state, w.job.life, w.stage)
	}
	return w.demand.reading
}

// saturated reports whether one task more of the work asks for more than one of
// its data nodes can give (rule iii).
func (f *facts) saturated(w *work, residual float64) bool {
	if !f.dataNodes.Limited() {
		return false
	}
	rd, step := f.demand(w), tct.Step(residual)
	if rd == nil {
		return false
	}
	word, bit := &w.demand.refused[step/64], uint64(1)<<(step%64)
	if *word&bit != 0 {
		return true
	}
	full := rd.Full(rd.Rate(f.state, w.curve, residual), f.rounds)
	if full {
		*word |= bit
	}
	return full
}

// planReads notes that a task of the work was assigned at this residual, until
// the log brings it back.
func (f *facts) planReads(w *work, residual float64) {
	if !f.dataNodes.Limited() {
		return
	}
	if rd := f.demand(w); rd != nil {
		rd.Plan(rd.Rate(f.state, w.curve, residual), f.rounds)
	}
}

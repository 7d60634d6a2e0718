package facts

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
func (f *Facts) demand(w *Work) *datanode.Reading {
	if d := &w.demand; !d.asked {
		d.asked, d.reading = true, f.DataNodes.Reading(f.Ledger, w.Job.Life, w.Stage)
	}
	return w.demand.reading
}

// Saturated reports whether one task more of the work asks for more than one of
// its data nodes can give (rule iii).
func (f *Facts) Saturated(w *Work, residual float64) bool {
	if !f.DataNodes.Limited() {
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
	full := rd.Full(rd.Rate(f.Ledger, w.Curve, residual), f.Rounds)
	if full {
		*word |= bit
	}
	return full
}

// PlanReads notes that a task of the work was assigned at this residual, until
// the log brings it back.
func (f *Facts) PlanReads(w *Work, residual float64) {
	if !f.DataNodes.Limited() {
		return
	}
	if rd := f.demand(w); rd != nil {
		rd.Plan(rd.Rate(f.Ledger, w.Curve, residual), f.Rounds)
	}
}

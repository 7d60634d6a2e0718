package places

import (
	"lull/slotter/facts"
	"lull/subjects/tct"
)

// slotQueue hands hosts out by the residual of their next slot, the best first
// and in turn among equals, so that load spreads. Residuals only fall during a
// round, so a host goes back to where it came from or further down.
type slotQueue struct {
	still bool // no slot has CPU to spare: any will do
	steps [tct.Steps + 1]hostQueue
	below int // all steps from here on up are empty
	used  int // all steps from here on up have been empty since reset
}

type hostQueue struct {
	hosts []*facts.Host
	front int
}

// reset empties the queue, and keeps its room.
func (q *slotQueue) reset() {
	for i := range q.used {
		q.steps[i].hosts, q.steps[i].front = q.steps[i].hosts[:0], 0
	}
	q.below, q.used = 0, 0
}

// put adds a host at what its next slot counts for, if that has residual enough
// to run on, or no host has.
func (q *slotQueue) put(h *facts.Host, counts float64) {
	if !q.still && h.Residual(1) < tct.MinResidual {
		return
	}
	step := tct.Step(counts)
	q.steps[step].hosts = append(q.steps[step].hosts, h)
	q.below, q.used = max(q.below, step+1), max(q.used, step+1)
}

// takeBest returns the host with the best slot, nil if none is left.
func (q *slotQueue) takeBest() *facts.Host {
	for ; q.below > 0; q.below-- {
		f := &q.steps[q.below-1]
		if f.front < len(f.hosts) {
			f.front++
			return f.hosts[f.front-1]
		}
	}
	return nil
}

// at is the number of hosts in a step.
func (q *slotQueue) at(step int) int {
	f := &q.steps[min(max(step, 0), tct.Steps)]
	return len(f.hosts) - f.front
}

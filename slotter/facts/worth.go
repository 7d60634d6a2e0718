package facts

import "lull/subjects/tct"

// marginalCost is what one task more on the host costs those that run there: for each
// second that it runs, so many seconds of theirs. What the round has planned
// there counts as conserved work.
func (h *Host) marginalCost() float64 {
	now, then := h.Residual(0), h.Residual(1)
	from, to := tct.Step(now), tct.Step(then)
	if from == to {
		return 0
	}
	sum := 0.0
	for i := range h.Running {
		c := h.Running[i].Curve
		sum += 1 - c.At(from)/c.At(to)
	}
	planned := min(h.Busy, h.Slots) - len(h.Running)
	return sum + float64(max(planned, 0))*(1-then/now)
}

// net is the expected residual of a host's next slot, less what a task there costs the others. An
// idle slot with that residual on another host is as good to the pool.
//
// It is kept with what it was computed from. A round lines up every host with a free slot, most of
// them as they were in the last round.
type net struct {
	worth      float64 // 0 before it was asked: see settle
	idle, mean float64
	busy       int
}

// NetWorth returns what the host's next slot is worth net of strain.
func (h *Host) NetWorth() float64 {
	if n := &h.net; n.worth > 0 && n.busy == h.Busy && n.idle >= h.Idle && n.idle <= h.Idle && n.mean >= h.Outlook.Mean && n.mean <= h.Outlook.Mean {
		return n.worth
	}
	h.net = net{worth: h.ExpectedResidual(1) / (1 + h.marginalCost()), idle: h.Idle, mean: h.Outlook.Mean, busy: h.Busy}
	return h.net.worth
}

// ProgressGain is by how much the progress of all that runs on the host rises with one
// task more. A task alone on idle cores has a progress of one a core
// (1 / NormTCT, equation 2).
func (h *Host) ProgressGain(c *tct.Curve, l *Line) float64 {
	more := l.EmptySlotsNeeded(h)
	return l.Cores().Float()/c.Norm(h.ExpectedResidual(more)) - h.progressLoss(more)
}

// cachedLoss is what one task more takes from those that run on a host, with what it was computed from. All
// kinds of tasks take the same, so a round computes it once a place and not once a kind.
type cachedLoss struct {
	progress float64
	idle     float64
	busy     int
	width    uint32 // 0 before it was asked: see settle
}

// progressLoss returns by how much the progress of what runs on the host falls with one task more. What
// the round has planned there counts as conserved work.
func (h *Host) progressLoss(width uint32) float64 {
	if t := &h.lossCache; t.width != width || t.busy != h.Busy || t.idle < h.Idle || t.idle > h.Idle {
		h.lossCache = cachedLoss{h.computeProgressLoss(width), h.Idle, h.Busy, width}
	}
	return h.lossCache.progress
}

func (h *Host) computeProgressLoss(width uint32) (sum float64) {
	now, then := h.Residual(0), h.Residual(width)
	from, to := tct.Step(now), tct.Step(then)
	if from == to {
		return 0
	}
	slots := float64(min(h.Busy, h.Slots))
	for i := range h.Running {
		s := &h.Running[i]
		sum += s.Life.Cores().Float() * (1/s.Curve.NormAt(from) - 1/s.Curve.NormAt(to))
		slots -= s.Life.Cores().Float()
	}
	return sum + max(slots, 0)*(now-then)
}

package assigning

import (
	"lull/slotter/facts"
	"lull/subjects/tct"
)

const (
	// unknownSlow stands for the ninetieth percentile of the time over that
	// predicted when a model does not say it. MIMP's own predictions that were
	// too short were so by 29 % on average.
	unknownSlow = 1.3
)

// straggler is an attempt that may deserve a rival.
type straggler struct {
	attempt *facts.Attempt
	host    *facts.Host
	toGo    float64
}

// beatenBy reports whether a fresh attempt that takes so many seconds is worth
// it.
func (s *straggler) beatenBy(fresh float64) bool {
	return s.toGo >= rivalGain*fresh && s.toGo-fresh >= rivalLeast
}

// stragglers lists what runs of the stages that are worth it and would end
// later than on the best of slots. It reports whether there are such stages.
func (x *rivals) stragglers() (watched bool) {
	if !x.contested() {
		return false
	}
	patience := x.Models.Patience()
	for _, h := range x.Hosts.ByName {
		residual := facts.ResidualAt(tct.Step(h.Residual(0)))
		for i := range h.Running {
			s := &h.Running[i]
			st := s.Stage
			if st.Contested != x.Rounds || s.Life.Paced || x.Now-s.Life.Assigned < facts.MinStragglerAge {
				continue
			}
			if watched = true; fetches(s.Life, x.Now, patience) {
				continue
			}
			if late := (straggler{s, h, toGo(s, h, x.Now, residual)}); late.beatenBy(st.Curve.Least()) {
				x.lagging = append(x.lagging, late)
			}
		}
	}
	return watched
}

// contested marks the stages with running tasks that delay something: their job's deadline or, when
// none of them waits any more, what comes after them.
func (x *rivals) contested() (found bool) {
	for _, j := range x.Jobs.BySeq {
		if _, dead := j.Life.Dead(); dead {
			continue
		}
		late := j.Due != facts.Never && !j.OnTrack(x.Now)
		for i, st := range j.Life.Stages {
			if st.Held == 0 || !late && st.Waiting() > 0 || !j.Life.Ready(i) {
				continue
			}
			j.Stages[i].Contested, found = x.Rounds, true
		}
	}
	return found
}

// toGo predicts the seconds until a running attempt ends, at its host's present residual. While the
// model's work is not done, that is what is left of it.
//
// An attempt beyond it takes longer than predicted, by an unknown time. It is expected to need as
// much again as the slowest tenth of its type's tasks takes beyond the prediction. Once it is an
// outlier even among those, it is expected to be late for as long again as it already is. That is
// the mean residual life of a Pareto tail of index 2. LATE (Zaharia et al., OSDI 2008) extrapolates
// a progress rate, which lull's tasks do not report.
func toGo(at *facts.Attempt, h *facts.Host, now int64, residual float64) float64 {
	st := at.Stage
	slow := st.Slow
	if slow <= 1 {
		slow = unknownSlow
	}
	left, seconds := 1-at.Progress(now), facts.SecondsOn(h, at.Life, st.Curve, residual)
	if left > 0 {
		return left * seconds
	}
	return max(slow-1, -left) * seconds
}

package slotter

import "lull/subjects/tct"

const (
	// unknownSlow stands for the ninetieth percentile of the time over that
	// predicted when a model does not say it. MIMP's own predictions that were
	// too short were so by 29 % on average.
	unknownSlow = 1.3
)

// straggler is an attempt that may deserve a rival.
type straggler struct {
	attempt *attempt
	host    *host
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
	patience := x.models.Patience()
	for _, h := range x.hosts.byName {
		residual := residualAt(tct.Step(h.residual(0)))
		for i := range h.attempts {
			s := &h.attempts[i]
			st := s.stage
			if st.contested != x.rounds || s.life.Paced || x.now-s.life.Assigned < youngest {
				continue
			}
			if watched = true; fetches(s.life, x.now, patience) {
				continue
			}
			if late := (straggler{s, h, toGo(s, x.now, residual)}); late.beatenBy(st.curve.Least()) {
				x.lagging = append(x.lagging, late)
			}
		}
	}
	return watched
}

// contested marks the stages with running tasks that delay something: their job's deadline or, when
// none of them waits any more, what comes after them.
func (x *rivals) contested() (found bool) {
	for _, j := range x.jobs.bySeq {
		if _, dead := j.life.Dead(); dead {
			continue
		}
		late := j.due != never && !j.onTrack(x.now)
		for i, st := range j.life.Stages {
			if st.Held == 0 || !late && st.Waiting() > 0 || !j.life.Ready(i) {
				continue
			}
			j.stages[i].contested, found = x.rounds, true
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
func toGo(at *attempt, now int64, residual float64) float64 {
	st := at.stage
	slow := st.slow
	if slow <= 1 {
		slow = unknownSlow
	}
	left, seconds := 1-at.progress(now), st.curve.Seconds(residual)
	if left > 0 {
		return left * seconds
	}
	return max(slow-1, -left) * seconds
}

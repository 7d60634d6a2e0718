package slotter

import "lull/subjects/tct"

// mp is MIMP's rule: (i) among the jobs that equation 3 predicts to miss their
// deadline with the slots they have, the earliest deadline; (ii) else the job
// that suffers least from this slot's residual, by equation 2. Rule (ii) lets
// tasks that wait for their disk have the loaded hosts, and keeps the idle
// ones for those that compute. Jobs without a deadline take part in it alone.
type mp struct{}

func (mp) pick(l *line, step int, now int64) (pick, bool) {
	if w := l.late(now); w != nil {
		return pick{work: w, rule: "mp-i", key: w.job.due}, true
	}
	if w := l.best[step]; w == nil || w.dry {
		l.best[step] = l.leastHurt(step)
	}
	w := l.best[step]
	if w == nil {
		return pick{}, false
	}
	return pick{work: w, rule: "mp-ii", rank: 1, key: hurt(w.curve, step)}, true
}

// late is rule (i)'s choice, nil if all jobs with a deadline are on track.
func (l *line) late(now int64) *work {
	for ; l.edge < len(l.urgent); l.edge++ {
		w := l.urgent[l.edge]
		if w.job.due == never {
			return nil
		}
		if !w.dry && !w.job.onTrack(now) {
			return w
		}
	}
	return nil
}

// leastHurt is rule (ii)'s choice. It stays until it is dry: the heads of
// other groups only give way to later ones.
func (l *line) leastHurt(step int) *work {
	var best pick
	for _, g := range l.groups {
		w := g.head()
		if w == nil {
			continue
		}
		if p := (pick{work: w, key: hurt(g.curve, step)}); best.work == nil || p.before(best) {
			best = p
		}
	}
	return best.work
}

// hurt is NormTCT in percent. Finer differences are the fit's noise, and
// should not override the order of submission.
func hurt(c *tct.Curve, step int) int64 {
	return int64(float64(c.Norm(residualAt(step))*100) + 0.5)
}

// onTrack reports whether the job's slots complete what remains of it before
// its deadline (equation 3).
func (j *job) onTrack(now int64) bool {
	left := float64(max(j.due-now, 0)) / 1e9
	return left*float64(j.rate+j.planned) >= float64(j.remaining)*rateUnit
}

// residualAt is the residual that a step stands for.
func residualAt(step int) float64 { return float64(step) / tct.Steps }

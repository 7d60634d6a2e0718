package slotter

import "lull/subjects/tct"

// mp is MIMP's rule: (i) among the jobs that equation 3 predicts to miss their
// deadline with the slots they have, the earliest deadline; (ii) else the job
// that suffers least from this slot's residual, by equation 2; (iii) a job that
// would overload a data node is passed over. Rule (ii) lets tasks that wait for
// their disk have the loaded hosts, and keeps the idle ones for those that
// compute. Jobs without a deadline take part in it alone. Between (i) and (ii),
// types without a model are explored.
type mp struct{}

func (mp) pick(r *round, l *line, _ *host, step int) (pick, bool) {
	if w := r.late(l, step); w != nil {
		return pick{work: w, rule: "mp-i", key: w.job.due}, true
	}
	if w := r.unexplored(l, step); w != nil {
		return pick{work: w, rule: "explore", rank: 1}, true
	}
	if w := l.best[step]; w == nil || w.dry || r.saturated(w, residualAt(step)) {
		l.best[step] = r.leastHurt(l, step)
	}
	if w := l.best[step]; w != nil {
		return pick{work: w, rule: "mp-ii", rank: 2, key: hurt(w.curve, step)}, true
	}
	return pick{}, head(l.works, &l.front) != nil
}

// late is rule (i)'s choice, nil if all jobs with a deadline are on track or
// wait for a data node.
func (r *round) late(l *line, step int) *work {
	for i := l.edge; i < len(l.urgent) && l.urgent[i].job.due != never; i++ {
		w := l.urgent[i]
		switch {
		case w.dry || w.job.onTrack(r.now):
			if i == l.edge {
				l.edge++
			}
		case !r.saturated(w, residualAt(step)):
			return w
		}
	}
	return nil
}

// leastHurt is rule (ii)'s choice. It stays until it is dry, or a data node of
// it full: the heads of other groups only give way to later ones.
func (r *round) leastHurt(l *line, step int) *work {
	var best pick
	for _, g := range l.groups {
		w := r.head(g, step)
		if w == nil {
			continue
		}
		if p := (pick{work: w, key: hurt(g.curve, step)}); best.work == nil || p.before(best) {
			best = p
		}
	}
	return best.work
}

// head is the group's earliest work with a task that no data node refuses.
func (r *round) head(g *group, step int) *work {
	w := g.head()
	if w == nil || !r.saturated(w, residualAt(step)) {
		return w
	}
	for _, w := range g.works[g.front+1:] {
		if !w.dry && !r.saturated(w, residualAt(step)) {
			return w
		}
	}
	return nil
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

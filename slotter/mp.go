package slotter

import (
	"lull/subjects"
)

// mp is MIMP's rule: (i) among the jobs that equation 3 predicts to miss their deadline with the
// slots they have, the earliest deadline; (ii) else the job that suffers least from this slot's
// residual, by equation 2; (iii) a job that would overload a data node is skipped.
//
// Rule (ii) puts tasks that wait for their disk on the loaded hosts, and keeps the idle ones for
// those that compute. Where several suffer alike, as all do on an idle slot, the slot goes to the
// one that suffers most on an average one. Jobs without a deadline take part in (ii) alone. Between
// (i) and (ii), types without a model are explored.
type mp struct{}

func (mp) prepare(v *view) { v.weighCurves() }

func (mp) atRisk(v *view, w *work) bool { return !w.job.completes(v.wholeTasks(w), 1) }

func (mp) pick(v *view, l *line, _ *host, step int) (pick, bool) {
	if w := (mp{}).late(v, l, step); w != nil {
		return pick{work: w, rule: subjects.RuleDanger, key: w.job.due, urgent: true}, true
	}
	if w := v.unexplored(l, step); w != nil {
		return pick{work: w, rule: subjects.RuleExplore, rank: 1}, true
	}
	if w := l.best[step]; w == nil || w.dry || v.saturated(w, residualAt(step)) {
		l.best[step] = mp{}.leastSlowed(v, l, step)
	}
	if w := l.best[step]; w != nil {
		return pick{work: w, rule: subjects.RuleSuits, rank: 2, key: slowdownKey(w.group, step)}, true
	}
	return pick{}, head(l.works, &l.front) != nil
}

// late is rule (i)'s choice, nil if all jobs with a deadline are on track or
// wait for a data node.
func (mp) late(v *view, l *line, step int) *work {
	for i := l.urgentFront; i < len(l.urgent) && l.urgent[i].job.due != never; i++ {
		w := l.urgent[i]
		switch {
		case w.dry || !(mp{}).atRisk(v, w):
			if i == l.urgentFront {
				l.urgentFront++
			}
		case !v.saturated(w, residualAt(step)):
			return w
		}
	}
	return nil
}

// leastSlowed is rule (ii)'s choice. It stays until it is dry, or a data node of
// it full: the heads of other groups only give way to later ones.
func (mp) leastSlowed(v *view, l *line, step int) *work {
	var best pick
	for _, g := range l.groups {
		w := v.head(g, step)
		if w == nil {
			continue
		}
		if p := (pick{work: w, key: slowdownKey(g, step)}); best.work == nil || p.before(best) {
			best = p
		}
	}
	return best.work
}

// slowdownKey is NormTCT in percent: finer differences are the fit's noise, and
// should not override the order of submission. Behind it, what the type would
// suffer on an average slot, the more the better.
func slowdownKey(g *group, step int) int64 {
	elsewhere := g.worth.Average / g.curve.Seconds(1)
	return percent(g.curve.Norm(residualAt(step)))<<24 - percent(elsewhere)
}

func percent(x float64) int64 { return int64(float64(x*100) + 0.5) }

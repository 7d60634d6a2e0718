package policy

import (
	"lull/slotter/facts"
	"lull/subjects"
)

// mp is MIMP's rule: (i) among the jobs that equation 3 predicts to miss their deadline with the
// slots they have, the earliest deadline; (ii) else the job that is slowed least by this slot's
// residual, by equation 2; (iii) a job that would overload a data node is skipped.
//
// Rule (ii) puts tasks that wait for their disk on the loaded hosts, and keeps the idle ones for
// those that compute. Where several are slowed alike, as all are on an idle slot, the slot goes to the
// one that is slowed most on an average one. Jobs without a deadline take part in (ii) alone. Between
// (i) and (ii), types without a model are explored.
type mp struct{}

func (mp) prepare(v *View) { v.weighCurves() }

func (mp) atRisk(v *View, w *facts.Work) bool { return !w.Job.Completes(v.wholeTasks(w), 1) }

func (mp) pick(v *View, l *facts.Line, _ *facts.Host, step int) (Pick, bool) {
	if w := (mp{}).late(v, l, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleDanger, key: w.Job.Due, urgent: true}, true
	}
	if w := v.unexplored(l, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleExplore, rank: 1}, true
	}
	if w := l.Best[step]; w == nil || w.Dry || v.Saturated(w, facts.ResidualAt(step)) {
		l.Best[step] = mp{}.leastSlowed(v, l, step)
	}
	if w := l.Best[step]; w != nil {
		return Pick{Work: w, Rule: subjects.RuleSuits, rank: 2, key: slowdownKey(w.Group, step)}, true
	}
	return Pick{}, facts.Head(l.Works, &l.Front) != nil
}

// late is rule (i)'s choice, nil if all jobs with a deadline are on track or
// wait for a data node.
func (mp) late(v *View, l *facts.Line, step int) *facts.Work {
	for i := l.UrgentFront; i < len(l.Urgent) && l.Urgent[i].Job.Due != facts.Never; i++ {
		w := l.Urgent[i]
		switch {
		case w.Dry || !(mp{}).atRisk(v, w):
			if i == l.UrgentFront {
				l.UrgentFront++
			}
		case !v.Saturated(w, facts.ResidualAt(step)):
			return w
		}
	}
	return nil
}

// leastSlowed is rule (ii)'s choice. It stays until it is dry, or a data node of
// it full: the heads of other groups only give way to later ones.
func (mp) leastSlowed(v *View, l *facts.Line, step int) *facts.Work {
	var best Pick
	for _, g := range l.Groups {
		w := v.head(g, step)
		if w == nil {
			continue
		}
		if p := (Pick{Work: w, key: slowdownKey(g, step)}); best.Work == nil || p.Before(best) {
			best = p
		}
	}
	return best.Work
}

// slowdownKey is NormTCT in percent: finer differences are the fit's noise, and
// should not override the order of submission. Among equal values, a type that an average slot slows
// more goes first.
func slowdownKey(g *facts.Group, step int) int64 {
	elsewhere := g.Worth.Average / g.Curve.Seconds(1)
	return percent(g.Curve.Norm(facts.ResidualAt(step)))<<24 - percent(elsewhere)
}

func percent(x float64) int64 { return int64(float64(x*100) + 0.5) }

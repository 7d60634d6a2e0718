package slotter

import (
	"lull/subjects"
)

// mpPlus is lull's own rule, after MIMP's. Slots come in the order of what they are worth to the
// pool: their residual, less what one task more takes from its neighbours on the host. A slot goes
//
//	mp+risk     to a job whose end, by rates and with a margin, is predicted
//	            after its deadline, or until whose deadline much is asked of the
//	            pool: the earliest deadline first, but not while slots that are
//	            as good for it are free further down the order
//	mp+wait     to a job that was given nothing for a long time
//	explore     to a type without a model, as in mp
//	mp+fit      to the job with the greatest comparative advantage there: its
//	            time on this slot over that on an average one (MIMP takes the
//	            time on an idle one, so that on idle slots all are alike)
//
// or to no task, while no deadline is at risk and any task there would take most
// of its CPU from its neighbours: see withholding.
//
// A data node that is saturated takes a job out of all of these.
type mpPlus struct{}

const (
	rankRisk = iota
	rankWait
	rankExplore
	rankFit
)

func (mpPlus) prepare(v *view) {
	v.weighCurves()
	v.weighDeadlines()
	v.weighQueue()
}

func (mpPlus) atRisk(v *view, w *work) bool { return v.isAtRisk(w) }

func (p mpPlus) pick(v *view, l *line, h *host, step int) (pick, bool) {
	if w := v.firstAtRisk(l, step); w != nil {
		return pick{work: w, rule: subjects.RuleRisk, rank: rankRisk, key: w.job.due, urgent: true, risk: w.risk(v.now), gain: w.group.worth.Gain(step)}, true
	}
	if w := p.starved(v, l, step); w != nil {
		return pick{work: w, rule: subjects.RuleWait, rank: rankWait, key: w.job.served, gain: w.group.worth.Gain(step)}, true
	}
	if w := v.unexplored(l, step); w != nil {
		return pick{work: w, rule: subjects.RuleExplore, rank: rankExplore, gain: w.group.worth.Gain(step)}, true
	}
	if w := p.fittest(v, l, h, step); w != nil {
		return pick{work: w, rule: subjects.RuleFit, rank: rankFit, key: w.group.worth.Key[step], gain: w.group.worth.Gain(step)}, true
	}
	return pick{}, head(l.works, &l.front) != nil
}

// fittest is the work with the greatest comparative advantage on the slot, nil
// if there is none or each should wait for a better one.
func (p mpPlus) fittest(v *view, l *line, h *host, step int) *work {
	if v.stillUnused(l, h) {
		return nil
	}
	if w := l.best[step]; w == nil || w.dry || v.saturated(w, residualAt(step)) {
		l.best[step] = p.bestFit(v, l, step, nil)
	}
	w := l.best[step]
	if w != nil && v.withholds(w, h) {
		if w = p.bestFit(v, l, step, h); w == nil {
			w = v.unserved(l, step)
		}
		if w == nil {
			v.noteUnused(l, h)
		}
	}
	return w
}

// bestFit compares the heads of the line's groups; on a host, only those that
// do not wait for a better slot.
func (mpPlus) bestFit(v *view, l *line, step int, h *host) *work {
	var best pick
	for _, g := range l.groups {
		w := v.head(g, step)
		if w == nil || h != nil && v.withholds(w, h) {
			continue
		}
		if c := (pick{work: w, key: g.worth.Key[step]}); best.work == nil || c.before(best) {
			best = c
		}
	}
	return best.work
}

// starved is the first job that waited too long and has still been given
// nothing in this round.
func (mpPlus) starved(v *view, l *line, step int) *work {
	for i := l.starvingFront; i < len(l.starving); i++ {
		w := l.starving[i]
		switch {
		case w.dry || w.job.planned > 0:
			if i == l.starvingFront {
				l.starvingFront++
			}
		case !v.saturated(w, residualAt(step)):
			return w
		}
	}
	return nil
}

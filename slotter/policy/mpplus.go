package policy

import (
	"lull/slotter/facts"
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

func (mpPlus) prepare(v *View) {
	v.weighCurves()
	v.weighDeadlines()
	v.weighQueue()
}

func (mpPlus) atRisk(v *View, w *facts.Work) bool { return v.isAtRisk(w) }

func (p mpPlus) pick(v *View, l *facts.Line, h *facts.Host, step int) (Pick, bool) {
	if w := v.firstAtRisk(l, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleRisk, rank: rankRisk, key: w.Job.Due, urgent: true, Risk: w.Risk(v.Now), Gain: w.Group.Worth.Gain(step)}, true
	}
	if w := p.starved(v, l, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleWait, rank: rankWait, key: w.Job.Served, Gain: w.Group.Worth.Gain(step)}, true
	}
	if w := v.unexplored(l, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleExplore, rank: rankExplore, Gain: w.Group.Worth.Gain(step)}, true
	}
	if w := p.fittest(v, l, h, step); w != nil {
		return Pick{Work: w, Rule: subjects.RuleFit, rank: rankFit, key: w.Group.Worth.Key[step], Gain: w.Group.Worth.Gain(step)}, true
	}
	return Pick{}, facts.Head(l.Works, &l.Front) != nil
}

// fittest is the work with the greatest comparative advantage on the slot, nil
// if there is none or each should wait for a better one.
func (p mpPlus) fittest(v *View, l *facts.Line, h *facts.Host, step int) *facts.Work {
	if v.stillUnused(l, h) {
		return nil
	}
	if w := l.Best[step]; w == nil || w.Dry || v.Saturated(w, facts.ResidualAt(step)) {
		l.Best[step] = p.bestFit(v, l, step, nil)
	}
	w := l.Best[step]
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
func (mpPlus) bestFit(v *View, l *facts.Line, step int, h *facts.Host) *facts.Work {
	var best Pick
	for _, g := range l.Groups {
		w := v.head(g, step)
		if w == nil || h != nil && v.withholds(w, h) {
			continue
		}
		if c := (Pick{Work: w, key: g.Worth.Key[step]}); best.Work == nil || c.Before(best) {
			best = c
		}
	}
	return best.Work
}

// starved is the first job that waited too long and has still been given
// nothing in this round.
func (mpPlus) starved(v *View, l *facts.Line, step int) *facts.Work {
	for i := l.StarvingFront; i < len(l.Starving); i++ {
		w := l.Starving[i]
		switch {
		case w.Dry || w.Job.Planned > 0:
			if i == l.StarvingFront {
				l.StarvingFront++
			}
		case !v.Saturated(w, facts.ResidualAt(step)):
			return w
		}
	}
	return nil
}

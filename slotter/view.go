package slotter

// view is what a policy sees of a round: the waiting tasks, the places that may be given to them,
// and the constraints.
type view struct {
	*facts
	*waitlist
	*places
	saturation
	*urgency
	*withholding
}

// weighCurves weighs all that waits.
func (v *view) weighCurves() {
	for _, l := range v.ready {
		for _, g := range l.groups {
			g.worth.Weigh(g.curve, &v.supply)
		}
	}
}

// head is the group's earliest work with a task that no data node refuses.
func (v *view) head(g *group, step int) *work {
	w := g.head()
	if w == nil || !v.saturated(w, residualAt(step)) {
		return w
	}
	for _, w := range g.works[g.front+1:] {
		if !w.dry && !v.saturated(w, residualAt(step)) {
			return w
		}
	}
	return nil
}

// unexplored returns a work with a model that knows nothing of such slots yet, the first submitted;
// nil if there is none. Within a round ranges are only covered, so those before the mark of a range
// are never asked again.
func (v *view) unexplored(l *line, step int) *work {
	if len(l.unknown) == 0 {
		return nil
	}
	bin := binOf(residualAt(step))
	for mark := &l.marks[bin]; *mark < len(l.unknown); *mark++ {
		w := l.unknown[*mark]
		if !w.dry && w.probe().tried[bin] == 0 && !v.saturated(w, residualAt(step)) {
			return w
		}
	}
	return nil
}

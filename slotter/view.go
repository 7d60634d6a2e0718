package slotter

// view is what a policy sees of a round: the waiting tasks, the places that may be given to them,
// and the constraints.
type view struct {
	*facts
	policy policy
	*waitlist
	*places
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
		if !w.dry && !w.explored(bin) && !v.saturated(w, residualAt(step)) {
			return w
		}
	}
	return nil
}

// newView returns what the policy of the configuration sees of these. far returns the seconds of a usual slot
// that jobs far back in the queue ask for.
func newView(f *facts, w *waitlist, p *places, far func() float64) *view {
	u := &urgency{facts: f, places: p}
	return &view{
		facts: f, policy: policies[f.cfg.Policy], waitlist: w, places: p, urgency: u,
		withholding: &withholding{facts: f, waitlist: w, urgency: u, far: far},
	}
}

// begin forgets the last round. What it made room for is used again: there are several
// rounds a second, and most find nothing to give away.
func (v *view) begin() {
	v.waitlist.begin()
	v.places.begin()
	v.overloadedUntil, v.enough = 0, 0
}

// prepare has the policy look at all that waits, and all slots, before a round's first slot.
func (v *view) prepare() {
	if p, ok := v.policy.(preparer); ok {
		p.prepare(v)
	}
}

// pick returns the line's best claim to the host's next slot: see policy.
func (v *view) pick(l *line, h *host) (p pick, more bool) {
	return v.policy.pick(v, l, h, v.step(h, l))
}

// atRisk reports whether the work's job has a deadline at risk that the policy serves first.
func (v *view) atRisk(w *work) bool {
	p, serves := v.policy.(deadlinePolicy)
	return serves && p.atRisk(v, w)
}

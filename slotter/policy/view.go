package policy

import (
	"lull/slotter/facts"
	"lull/slotter/places"
	"lull/slotter/waitlist"
)

// View is what a policy sees of a round: the waiting tasks, the places that may be given to them,
// and the constraints.
type View struct {
	*facts.Facts
	policy policy
	*waitlist.Waitlist
	*places.Places
	*urgency
	*withholding
}

// weighCurves weighs all that waits.
func (v *View) weighCurves() {
	for _, l := range v.Ready {
		for _, g := range l.Groups {
			g.Worth.Weigh(g.Curve, &v.Supply)
		}
	}
}

// head is the group's earliest work with a task that no data node refuses.
func (v *View) head(g *facts.Group, step int) *facts.Work {
	w := g.Head()
	if w == nil || !v.Saturated(w, facts.ResidualAt(step)) {
		return w
	}
	for _, w := range g.Works[g.Front+1:] {
		if !w.Dry && !v.Saturated(w, facts.ResidualAt(step)) {
			return w
		}
	}
	return nil
}

// unexplored returns a work with a model that knows nothing of such slots yet, the first submitted;
// nil if there is none. Within a round ranges are only covered, so those before the mark of a range
// are never asked again.
func (v *View) unexplored(l *facts.Line, step int) *facts.Work {
	if len(l.Unknown) == 0 {
		return nil
	}
	bin := l.BinOf(facts.ResidualAt(step))
	for mark := &l.UnknownFronts[bin]; *mark < len(l.Unknown); *mark++ {
		w := l.Unknown[*mark]
		if !w.Dry && !w.Explored(bin) && !v.Saturated(w, facts.ResidualAt(step)) {
			return w
		}
	}
	return nil
}

// New returns what the policy of the configuration sees of these. far returns the seconds of a usual slot
// that jobs far back in the queue ask for.
func New(f *facts.Facts, w *waitlist.Waitlist, p *places.Places, far func() float64) *View {
	u := &urgency{Facts: f, Places: p}
	return &View{
		Facts: f, policy: policies[f.Config.Policy], Waitlist: w, Places: p, urgency: u,
		withholding: &withholding{Facts: f, waitlist: w, urgency: u, far: far},
	}
}

// Begin forgets the last round. What it made room for is used again: there are several
// rounds a second, and most find nothing to give away.
func (v *View) Begin() {
	v.Waitlist.Begin()
	v.Places.Begin()
	v.overloadedUntil, v.enough = 0, 0
}

// Prepare has the policy look at all that waits, and all slots, before a round's first slot.
func (v *View) Prepare() {
	if p, ok := v.policy.(preparer); ok {
		p.prepare(v)
	}
}

// Pick returns the line's best claim to the host's next slot: see Policy in the configuration.
func (v *View) Pick(l *facts.Line, h *facts.Host) (p Pick, more bool) {
	return v.policy.pick(v, l, h, v.Step(h, l))
}

// AtRisk reports whether the work's job has a deadline at risk that the policy serves first.
func (v *View) AtRisk(w *facts.Work) bool {
	p, serves := v.policy.(deadlinePolicy)
	return serves && p.atRisk(v, w)
}

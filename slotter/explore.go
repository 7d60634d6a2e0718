package slotter

// probeBins are the ranges of residual that a type without a model is explored
// in: its first tasks, at most one a range, go to slots that no task has tried.
// Two residuals give a curve's scale and ten its bend; a finer grid would only
// keep the policy's own choice from more tasks.
const probeBins = 10

// probe is what is known of a model that does not stand yet: which ranges of
// residual its finished tasks and those in flight cover.
type probe struct {
	name  string
	round uint64
	tried [probeBins]int
}

func binOf(residual float64) int {
	return min(int(residual*probeBins), probeBins-1)
}

// probeOf returns what explores a model, nil if the model stands.
func (c *catalog) probeOf(model string) *probe {
	if c.state.Model(model) != nil {
		delete(c.probes, model)
		return nil
	}
	p := c.probes[model]
	if p == nil {
		p = &probe{name: model}
		c.probes[model] = p
	}
	return p
}

// begin counts what finished tasks cover, once a round.
func (p *probe) begin(r *round) {
	if p.round == r.a.rounds {
		return
	}
	*p = probe{name: p.name, round: r.a.rounds}
	if at, ok := r.a.learning.lessons.find(p.name); ok {
		for _, s := range r.a.learning.lessons[at].Window.Samples() {
			p.tried[binOf(s.Residual)]++
		}
	}
}

// explores adds what a stage has in flight to its model's probe.
func (r *round) explores(st *stage) {
	st.probe.begin(r)
	for bin, n := range st.flights {
		st.probe.tried[bin] += n
	}
}

// unexplored returns a work whose model knows nothing of such slots yet, the
// first submitted; nil if there is none. Within a round ranges are only
// covered, so those before the mark of a range are never asked again.
func (r *round) unexplored(l *line, step int) *work {
	if len(l.unknown) == 0 {
		return nil
	}
	bin := binOf(residualAt(step))
	for mark := &l.marks[bin]; *mark < len(l.unknown); *mark++ {
		w := l.unknown[*mark]
		if !w.dry && w.probe().tried[bin] == 0 && !r.saturated(w, residualAt(step)) {
			return w
		}
	}
	return nil
}

// tries notes that a task of the work was given to a slot.
func (w *work) tries(residual float64) {
	if p := w.probe(); p != nil {
		p.tried[binOf(residual)]++
	}
}

func (w *work) probe() *probe { return w.job.stages[w.stage].probe }

package facts

import "lull/slotter/learning"

// probeBins is the number of ranges of residual in which a type without a model is explored. Its
// first tasks, at most one a range, go to slots that no task has tried. Two residuals give a
// curve's scale and ten its bend. A finer grid would only keep the policy's own choice from more
// tasks.
const probeBins = 10

// probe records which ranges of residual the finished and running tasks of a model without a fit
// cover.
type probe struct {
	name  string
	round uint64
	tried [probeBins]int
}

// BinOf is the range of a residual.
func BinOf(residual float64) int {
	return min(int(residual*probeBins), probeBins-1)
}

// begin counts what finished tasks cover, once a round.
func (p *probe) begin(models *learning.Models, round uint64) {
	if p.round == round {
		return
	}
	*p = probe{name: p.name, round: round}
	if window := models.Window(p.name); window != nil {
		for _, s := range window.Samples() {
			p.tried[BinOf(s.Residual)]++
		}
	}
}

// CountFlights adds what a stage has in flight to its model's probe.
func (f *Facts) CountFlights(st *Stage, models *learning.Models) {
	st.Probe.begin(models, f.Rounds)
	for bin, n := range st.flights {
		st.Probe.tried[bin] += n
	}
}

// NoteTried notes that a task of the work was given to a slot.
func (w *Work) NoteTried(residual float64) {
	if p := w.probe(); p != nil {
		p.tried[w.Group.Line.BinOf(residual)]++
	}
}

// Explored reports whether a task of the work's model tried a range of residual, or runs there.
func (w *Work) Explored(bin int) bool { return w.probe().tried[bin] > 0 }

// Guessed reports whether the work's curve is a guess, because its model has not been fitted.
func (w *Work) Guessed() bool { return w.probe() != nil }

func (w *Work) probe() *probe { return w.Job.Stages[w.Stage].Probe }

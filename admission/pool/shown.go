package pool

import (
	"maps"
	"math"
	"slices"

	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

const (
	// trusted is how many finished tasks weigh as much as a fitted model, unless fewer made it. A
	// stage's input may differ from that of the type's earlier jobs, and its first tasks show it.
	trusted = 4
	// farthest bounds what a stage's tasks may take over what was predicted, either way.
	farthest = 1e6
)

// shown is what the finished tasks of a stage took over what its curve says. It predicts the
// remaining tasks, long before the type's model is fitted anew.
type shown struct {
	Tasks    int     `msgpack:"tasks"`
	Ratio    float64 `msgpack:"ratio"`    // sum over the tasks
	Residual float64 `msgpack:"residual"` // sum over the tasks
}

// trust is how many finished tasks weigh as much as a model, nil for none. A curve that is only a
// guess counts for nothing once a task has ended. A model of too few tasks to know its error leaves a
// prediction rough.
func trust(m *subjects.Fitted) float64 {
	switch {
	case m == nil:
		return 0
	case m.Few():
		return min(trusted-1, float64(m.Samples))
	}
	return trusted
}

// factor is by how much a task that is left is predicted to differ from the curve, of which as much is
// known as prior tasks would show.
func (s shown) factor(prior float64) float64 {
	if n := prior + float64(s.Tasks); n > 0 {
		return min(max((prior+s.Ratio)/n, 1/farthest), farthest)
	}
	return 1
}

// add takes in a task that took so many seconds at a residual.
func (s *shown) add(seconds, residual float64, curve *tct.Curve) {
	if seconds > 0 {
		s.Tasks++
		s.Ratio = span.Round(s.Ratio+min(seconds/curve.Whole().Seconds(residual), farthest), 1e6)
		s.Residual = span.Round(s.Residual+residual, 1e6)
	}
}

// relative are the same tasks relative to another curve.
func (s shown) relative(old, curve *tct.Curve) shown {
	if s.Tasks > 0 {
		at := s.Residual / float64(s.Tasks)
		s.Ratio = span.Round(s.Ratio*old.Whole().Seconds(at)/curve.Whole().Seconds(at), 1e6)
	}
	return s
}

// keepShown keeps what tasks showed relative to the stage's earlier curve.
func (t *LoadStage) keepShown(old *tct.Curve) {
	t.Shown = t.Shown.relative(old, t.Unit.Curve)
	t.Factor = t.Shown.factor(t.trust)
}

// noteFinished counts a task that ended. A task that was held to a rate says nothing of what its
// slot left it, but what it gave counts.
func (p *Pool) noteFinished(e *subjects.Finished, c ledger.Change) {
	if c.Outcome != ledger.Committed || c.Attempt == nil {
		return
	}
	l := p.findLoad(c.Job)
	if l == nil || int(e.Stage) >= len(l.Stages) {
		return
	}
	t := &l.Stages[e.Stage]
	if t.Made.add(e); c.Attempt.Paced {
		return
	}
	t.Shown.add(e.Seconds, e.Residual, t.Unit.Curve)
	t.Factor = t.Shown.factor(t.trust)
	l.shareShown()
}

// shareShown applies what ended tasks of some stages showed to the stages without ended tasks: the tasks
// of one job say more about each other than a guess does.
func (l *Load) shareShown() {
	sum, stages := 0.0, 0
	for i := range l.Stages {
		if t := &l.Stages[i]; t.Shown.Tasks > 0 && l.guessed(i) {
			sum, stages = sum+math.Log(t.Factor), stages+1
		}
	}
	if stages == 0 {
		return
	}
	for i := range l.Stages {
		if t := &l.Stages[i]; t.Shown.Tasks == 0 && l.guessed(i) {
			t.Factor = span.Round(math.Exp(sum/float64(stages)), 1e6)
		}
	}
}

// guessed reports whether a stage has no model, and no estimate either.
func (l *Load) guessed(stage int) bool {
	return !l.Stages[stage].Unit.Curve.Fitted && l.Shape.Stages[stage].Guess(0) == 0
}

// Rough reports whether one of its stages is predicted from so few tasks that the error of its predicted
// end is unknown. Copies are predicted from bytes.
func (l *Load) Rough() bool {
	for i := range l.Stages {
		t := &l.Stages[i]
		if t.Left > 0 && !l.Shape.Stages[i].Publish && t.trust+float64(t.Shown.Tasks) < trusted {
			return true
		}
	}
	return false
}

// findLoad finds the load of a live job, also of one that is tried.
func (p *Pool) findLoad(j *ledger.Job) *Load {
	if l := p.Trials.Loads[j.ID]; l != nil {
		return l
	}
	return p.Load(j)
}

// begun lists the loads that may have shown something: those of the queue, and those that are tried.
func (p *Pool) begun() (all []*Load) {
	all = slices.Collect(p.Queue.All())
	for _, id := range slices.Sorted(maps.Keys(p.Trials.Loads)) {
		all = append(all, p.Trials.Loads[id])
	}
	return all
}

// Slow is how many times as long as its curve says a task of a stage takes.
func (l *Load) Slow(stage int) float64 { return l.Pace.Slow * l.Stages[stage].Factor }

// StageShown is what a snapshot keeps of a live job's stage.
type StageShown struct {
	Job   string `msgpack:"job"`
	Stage int    `msgpack:"stage"`
	shown `msgpack:",inline"`
	made  `msgpack:",inline"`
}

// ShownStages lists what the stages of live jobs showed, by deadline and submission.
func (p *Pool) ShownStages() (all []StageShown) {
	for _, l := range p.begun() {
		for i := range l.Stages {
			if t := &l.Stages[i]; t.Shown.Tasks+t.Made.Tasks > 0 {
				now := p.Costs.curve(&l.Shape.Stages[i], l.bytes(i), t.Model) // the load may still have an earlier one
				all = append(all, StageShown{l.ID(), i, t.Shown.relative(t.Unit.Curve, now), t.Made})
			}
		}
	}
	return all
}

// RestoreShown gives the loads what a snapshot says that their stages showed.
func (p *Pool) RestoreShown(all []StageShown) {
	for _, s := range all {
		j := p.Ledger.Job(s.Job)
		if j == nil {
			continue
		}
		if l := p.findLoad(j); l != nil && s.Stage >= 0 && s.Stage < len(l.Stages) {
			t := &l.Stages[s.Stage]
			t.Shown, t.Factor, t.Made = s.shown, s.factor(t.trust), s.made
			l.shareShown()
			p.Weigh(l)
		}
	}
}

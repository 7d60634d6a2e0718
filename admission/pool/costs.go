package pool

import (
	"maps"

	"lull/admission/facts"
	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// costs are what tasks cost, by their needs and their completion-time model: found
// once for all jobs of a type.
type costs struct {
	*facts.Facts
	supply   *supply
	curves   *tct.Curves
	classes  map[Needs]*Class
	units    map[unitKey]*Unit
	hops     map[hop]float64   // see apart
	refitted map[string]bool   // models that changed since the last look
	learnt   map[string]uint64 // model → the lesson that changed it last
	lessons  uint64
}

func newCosts(f *facts.Facts, s *supply) *costs {
	return &costs{
		Facts: f, supply: s, curves: tct.NewCurves(), classes: map[Needs]*Class{}, units: map[unitKey]*Unit{},
		hops: map[hop]float64{}, refitted: map[string]bool{}, learnt: map[string]uint64{},
	}
}

// NewLoad lines up what a job's stages cost. A newcomer has no life yet.
func (cs *costs) NewLoad(job *spec.Job, life *ledger.Job) *Load {
	l := &Load{Deadline: None, Shape: job, Life: life, Pace: Even, lessons: cs.lessons}
	if life != nil {
		l.Salt = life.Submitted
	}
	for i := range job.Stages {
		l.Terms = append(l.Terms, Term{Model: job.Model(i), Factor: 1})
		cs.resolve(l, i)
	}
	l.count()
	return l
}

// resolve finds a stage's curve and slots.
func (cs *costs) resolve(l *Load, i int) {
	stage := &l.Shape.Stages[i]
	curve := cs.curve(stage, l.bytes(i), l.Terms[i].Model)
	l.Terms[i].Unit = cs.unit(cs.classOf(l, stage), curve)
	m := cs.Ledger.Model(l.Terms[i].Model)
	l.Terms[i].Unit.Varies, l.Terms[i].trust = variance.Of(m), trust(m)
}

// classOf is the class of a load's stage. Where none of the hosts that the job was steered to can
// run it, it is that of all hosts: the job is steered anew.
func (cs *costs) classOf(l *Load, stage *spec.Stage) *Class {
	placed, fence := cs.placementOf(l, stage), cs.supply.fences.of(l, stage)
	c := cs.class(stage, placed, fence)
	if fence != "" && c.Slots.Usable() == 0 {
		return cs.class(stage, placed, "")
	}
	return c
}

// placementOf is what keeps a stage's tasks to some hosts, nil if nothing does.
func (cs *costs) placementOf(l *Load, stage *spec.Stage) *ledger.Placement {
	if l.Life == nil || stage.Publish {
		return nil
	}
	return cs.Ledger.Bound(l.Life)
}

func (cs *costs) curve(stage *spec.Stage, bytes int64, model string) *tct.Curve {
	return cs.curves.For(cs.Ledger.Model(model), stage.Guess(bytes), bytes, stage.Cores())
}

// Service is the sum of the tasks' predicted times, in seconds and without the
// margin. It is false if a stage has no model: a guess.
func (cs *costs) Service(l *Load) (seconds float64, known bool) {
	for i := range l.Terms {
		t := &l.Terms[i]
		if t.Unit.Mean <= 0 || cs.Ledger.Model(t.Model) == nil {
			return 0, false
		}
		seconds += float64(float64(t.Left) * t.Unit.Mean)
	}
	return span.Round(seconds, 1e3), true
}

// relearn notes the models that were refitted. Loads get the new curves when they are
// next weighed.
func (cs *costs) relearn() bool {
	if len(cs.refitted) == 0 {
		return false
	}
	cs.lessons++
	for model := range cs.refitted {
		cs.learnt[model] = cs.lessons
	}
	clear(cs.refitted)
	cs.unlearn()
	return true
}

// unlearn drops the lessons on models that the ledger has forgotten: no open job has
// them.
func (cs *costs) unlearn() {
	maps.DeleteFunc(cs.learnt, func(model string, _ uint64) bool { return cs.Ledger.Model(model) == nil })
}

// relearnt gives a load's stages the new curves of models that changed since the load
// was last weighed.
func (cs *costs) relearnt(l *Load) {
	if l.lessons == cs.lessons {
		return
	}
	for i := range l.Terms {
		if cs.learnt[l.Terms[i].Model] > l.lessons {
			old := l.Terms[i].Unit.Curve
			cs.resolve(l, i)
			l.Terms[i].keepShown(old)
		}
	}
	l.shareShown()
	l.lessons = cs.lessons
}

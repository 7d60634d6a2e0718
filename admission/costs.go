package admission

import (
	"maps"

	"lull/admission/span"
	"lull/admission/variance"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// costs are what tasks cost, by their needs and their completion-time model: found
// once for all jobs of a type.
type costs struct {
	*facts
	supply   *supply
	curves   *tct.Curves
	classes  map[needs]*class
	units    map[unitKey]*unit
	hops     map[hop]float64   // see apart
	refitted map[string]bool   // models that changed since the last look
	learnt   map[string]uint64 // model → the lesson that changed it last
	lessons  uint64
}

func newCosts(f *facts, s *supply) *costs {
	return &costs{
		facts: f, supply: s, curves: tct.NewCurves(), classes: map[needs]*class{}, units: map[unitKey]*unit{},
		hops: map[hop]float64{}, refitted: map[string]bool{}, learnt: map[string]uint64{},
	}
}

// newLoad lines up what a job's stages cost. A newcomer has no life yet.
func (cs *costs) newLoad(job *spec.Job, life *ledger.Job) *load {
	l := &load{deadline: none, shape: job, life: life, pace: even, lessons: cs.lessons}
	if life != nil {
		l.salt = life.Submitted
	}
	for i := range job.Stages {
		l.terms = append(l.terms, term{model: job.Model(i), factor: 1})
		cs.resolve(l, i)
	}
	l.count()
	return l
}

// resolve finds a stage's curve and slots.
func (cs *costs) resolve(l *load, i int) {
	stage := &l.shape.Stages[i]
	curve := cs.curve(stage, l.bytes(i), l.terms[i].model)
	l.terms[i].unit = cs.unit(cs.classOf(l, stage), curve)
	l.terms[i].unit.varies = variance.Of(cs.state.Model(l.terms[i].model))
}

// classOf is the class of a load's stage. Where none of the hosts that the job was steered to can
// run it, it is that of all hosts: the job is steered anew.
func (cs *costs) classOf(l *load, stage *spec.Stage) *class {
	placed, fence := cs.placementOf(l, stage), cs.supply.fences.of(l, stage)
	c := cs.class(stage, placed, fence)
	if fence != "" && c.slots.Usable() == 0 {
		return cs.class(stage, placed, "")
	}
	return c
}

// placementOf is what keeps a stage's tasks to some hosts, nil if nothing does.
func (cs *costs) placementOf(l *load, stage *spec.Stage) *ledger.Placement {
	if l.life == nil || stage.Publish {
		return nil
	}
	return cs.state.Bound(l.life)
}

func (cs *costs) curve(stage *spec.Stage, bytes int64, model string) *tct.Curve {
	return cs.curves.Of(cs.state.Model(model), stage.Guess(bytes), bytes)
}

// service is the sum of the tasks' predicted times, in seconds and without the
// margin. It is false if a stage has no model: a guess.
func (cs *costs) service(l *load) (seconds float64, known bool) {
	for i := range l.terms {
		t := &l.terms[i]
		if t.unit.mean <= 0 || cs.state.Model(t.model) == nil {
			return 0, false
		}
		seconds += float64(float64(t.left) * t.unit.mean)
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
	maps.DeleteFunc(cs.learnt, func(model string, _ uint64) bool { return cs.state.Model(model) == nil })
}

// relearnt gives a load's stages the new curves of models that changed since the load
// was last weighed.
func (cs *costs) relearnt(l *load) {
	if l.lessons == cs.lessons {
		return
	}
	for i := range l.terms {
		if cs.learnt[l.terms[i].model] > l.lessons {
			old := l.terms[i].unit.curve
			cs.resolve(l, i)
			l.terms[i].recalled(old)
		}
	}
	l.liken()
	l.lessons = cs.lessons
}

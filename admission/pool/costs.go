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

// costs caches what tasks cost, by their needs and their completion-time model. It is computed once
// for all jobs of a type.
type costs struct {
	*facts.Facts
	supply   *supply
	curves   *tct.Curves
	classes  map[Needs]*Class
	units    map[unitKey]*Unit
	hops     map[hop]float64   // results of remoteShare
	refitted map[string]bool   // models that changed since the last noteRefits
	refitOf  map[string]uint64 // model → value of refits when it changed last
	refits   uint64            // number of times that noteRefits found changed models
}

func newCosts(f *facts.Facts, s *supply) *costs {
	return &costs{
		Facts: f, supply: s, curves: tct.NewCurves(), classes: map[Needs]*Class{}, units: map[unitKey]*Unit{},
		hops: map[hop]float64{}, refitted: map[string]bool{}, refitOf: map[string]uint64{},
	}
}

// NewLoad returns what a job's stages cost. life is its state in the ledger, nil for a newcomer.
func (cs *costs) NewLoad(job *spec.Job, life *ledger.Job) *Load {
	l := &Load{Deadline: None, Shape: job, Life: life, Pace: Even, refits: cs.refits}
	if life != nil {
		l.Salt = life.Submitted
	}
	for i := range job.Stages {
		l.Stages = append(l.Stages, LoadStage{Model: job.Model(i), Factor: 1})
		cs.resolve(l, i)
	}
	l.count()
	return l
}

// resolve sets what follows from stage i's model: its curve and unit cost, and how far tasks vary.
func (cs *costs) resolve(l *Load, i int) {
	stage := &l.Shape.Stages[i]
	curve := cs.curve(stage, l.bytes(i), l.Stages[i].Model)
	l.Stages[i].Unit = cs.unit(cs.classOf(l, stage), curve)
	m := cs.Ledger.Model(l.Stages[i].Model)
	l.Stages[i].Unit.Varies, l.Stages[i].trust = variance.Of(m), trust(m)
}

// classOf returns the class of slots that a load's stage may use. If none of the hosts that the job was
// steered to can run the stage, the class covers all hosts, because the slotter will steer it anew.
func (cs *costs) classOf(l *Load, stage *spec.Stage) *Class {
	placed, fence := cs.placementOf(l, stage), cs.supply.fences.of(l, stage)
	c := cs.class(stage, placed, fence)
	if fence != "" && c.Slots.Usable() == 0 {
		return cs.class(stage, placed, "")
	}
	return c
}

// placementOf returns the placement that restricts a stage's tasks to some hosts, nil if there is none.
func (cs *costs) placementOf(l *Load, stage *spec.Stage) *ledger.Placement {
	if l.Life == nil || stage.Publish {
		return nil
	}
	return cs.Ledger.Bound(l.Life)
}

func (cs *costs) curve(stage *spec.Stage, bytes int64, model string) *tct.Curve {
	return cs.curves.For(cs.Ledger.Model(model), stage.Guess(bytes), bytes, stage.Cores())
}

// Service returns the sum of the predicted times of the tasks that are left, in seconds and without
// the margin. known is false if a stage has no model, so that its time would be a guess.
func (cs *costs) Service(l *Load) (seconds float64, known bool) {
	for i := range l.Stages {
		t := &l.Stages[i]
		if t.Unit.Mean <= 0 || cs.Ledger.Model(t.Model) == nil {
			return 0, false
		}
		seconds += float64(float64(t.Left) * t.Unit.Mean)
	}
	return span.Round(seconds, 1e3), true
}

// noteRefits numbers the models that were refitted since its last call, and reports whether
// there were any. Loads get the new curves when they are next weighed: see applyRefits.
func (cs *costs) noteRefits() bool {
	if len(cs.refitted) == 0 {
		return false
	}
	cs.refits++
	for model := range cs.refitted {
		cs.refitOf[model] = cs.refits
	}
	clear(cs.refitted)
	cs.forgetModels()
	return true
}

// forgetModels drops the numbers of models that the ledger has forgotten. No open job uses those.
func (cs *costs) forgetModels() {
	maps.DeleteFunc(cs.refitOf, func(model string, _ uint64) bool { return cs.Ledger.Model(model) == nil })
}

// applyRefits gives a load's stages the new curves of models that changed since the load
// was last weighed.
func (cs *costs) applyRefits(l *Load) {
	if l.refits == cs.refits {
		return
	}
	for i := range l.Stages {
		if cs.refitOf[l.Stages[i].Model] > l.refits {
			old := l.Stages[i].Unit.Curve
			cs.resolve(l, i)
			l.Stages[i].keepShown(old)
		}
	}
	l.shareShown()
	l.refits = cs.refits
}

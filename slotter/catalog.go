package slotter

import (
	"lull/slotter/pacing"
	"lull/subjects/ledger"
	"lull/subjects/tct"
)

// catalog places the jobs that rounds look at: it gives their stages curves, and the lines
// and groups in which their tasks wait.
type catalog struct {
	*facts
	probes map[string]*probe // of the models that have not been fitted yet
}

// schedule adds a job to those that rounds look at.
func (c *catalog) schedule(life *ledger.Job) *job {
	j := &job{life: life, due: never, served: c.now, stages: make([]stage, len(life.Stages))}
	j.queue = c.queues.Join(c.state, life.Shape.Share())
	if due := life.Due(c.now); due != 0 {
		j.due = due
	}
	j.pace = pacing.NewJob(life, j.queue, j.due)
	c.jobs.add(j)
	c.place(j)
	return j
}

// unschedule removes a job from those that rounds look at.
func (c *catalog) unschedule(j *job) {
	c.jobs.remove(j)
	c.queues.Leave(j.queue)
	c.tidy()
}

// place gives the job's stages their curves and groups.
func (c *catalog) place(j *job) {
	j.done = -1
	for i := range j.stages {
		spec := &j.life.Shape.Stages[i]
		model := c.state.Model(j.life.Shape.Model(i))
		curve := c.curves.Of(model, spec.Guess(j.life.Stages[i].Bytes), j.life.Stages[i].Bytes)
		st := &j.stages[i]
		j.pace.Stages[i].Curve = curve
		st.curve, st.group, st.probe = curve, c.lines.group(j.queue, spec, curve), c.probeOf(j.life.Shape.Model(i))
		st.slow = 0
		if model != nil {
			st.slow = model.Slow
		}
	}
}

// tidy drops lines and curves that no job uses any more, now and then.
func (c *catalog) tidy() {
	if len(c.lines.groups) < 64+8*len(c.jobs.bySeq) {
		return
	}
	c.lines, c.curves, c.probes = newLines(), tct.NewCurves(), map[string]*probe{}
	for _, j := range c.jobs.bySeq {
		c.place(j)
	}
}

// refit gives the jobs with a stage of a model the new one.
func (c *catalog) refit(model string) {
	c.curves.Forget(model)
	for _, j := range c.jobs.ofModel[model] {
		c.place(j)
	}
	c.hosts.touchAll() // their rates have changed
}

// probeOf returns what explores a model, nil if the model has been fitted.
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

// newCatalog returns a catalog without jobs.
func newCatalog(f *facts) *catalog { return &catalog{facts: f, probes: map[string]*probe{}} }

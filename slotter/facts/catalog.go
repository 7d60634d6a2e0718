package facts

import (
	"lull/slotter/pacing"
	"lull/subjects/ledger"
	"lull/subjects/spec"
	"lull/subjects/tct"
)

// Catalog places the jobs that rounds look at: it gives their stages curves, and the lines
// and groups in which their tasks wait.
type Catalog struct {
	*Facts
	probes map[string]*probe // of the models that have not been fitted yet
}

// Schedule adds a job to those that rounds look at.
func (c *Catalog) Schedule(life *ledger.Job) *Job {
	j := &Job{Life: life, Due: Never, Served: c.Now, Stages: make([]Stage, len(life.Stages))}
	j.bounded = spec.BoundsAtOnce(life.Shape)
	j.Queue = c.Queues.Join(c.Ledger, life.Shape.Share())
	if due := life.Due(c.Now); due != 0 {
		j.Due = due
	}
	j.Pace = pacing.NewJob(life, j.Queue, j.Due)
	c.Jobs.add(j)
	c.setGroups(j)
	return j
}

// Unschedule removes a job from those that rounds look at.
func (c *Catalog) Unschedule(j *Job) {
	c.Jobs.remove(j)
	c.Queues.Leave(j.Queue)
	c.tidy()
}

// setGroups gives the job's stages their curves and groups.
func (c *Catalog) setGroups(j *Job) {
	j.done = -1
	for i := range j.Stages {
		spec := &j.Life.Shape.Stages[i]
		model := c.Ledger.Model(j.Life.Shape.Model(i))
		curve := c.Curves.For(model, spec.Guess(j.Life.Stages[i].Bytes), j.Life.Stages[i].Bytes, spec.Cores())
		st := &j.Stages[i]
		j.Pace.Stages[i].Curve = curve
		st.Curve, st.Group, st.Probe = curve, c.Lines.group(j.Queue, spec, curve), c.probeOf(j.Life.Shape.Model(i))
		st.Slow = 0
		if model != nil {
			st.Slow = model.Slow
		}
	}
}

// tidy drops lines and curves that no job uses any more, now and then.
func (c *Catalog) tidy() {
	if len(c.Lines.Groups) < 64+8*len(c.Jobs.BySeq) {
		return
	}
	c.Lines, c.Curves, c.probes = newLines(), tct.NewCurves(), map[string]*probe{}
	for _, j := range c.Jobs.BySeq {
		c.setGroups(j)
	}
}

// Refit gives the jobs with a stage of a model the new one.
func (c *Catalog) Refit(model string) {
	c.Curves.Forget(model)
	for _, j := range c.Jobs.ofModel[model] {
		c.setGroups(j)
	}
	c.Hosts.TouchAll() // their rates have changed
}

// probeOf returns what explores a model, nil if the model has been fitted.
func (c *Catalog) probeOf(model string) *probe {
	if c.Ledger.Model(model) != nil {
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

// NewCatalog returns a catalog without jobs.
func NewCatalog(f *Facts) *Catalog { return &Catalog{Facts: f, probes: map[string]*probe{}} }

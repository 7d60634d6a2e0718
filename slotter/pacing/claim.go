package pacing

import (
	"math"

	"lull/slotter/capacity"
	"lull/slotter/datanode"
)

// claim is what a job's running tasks could use of the pool's capacity, and what
// its deadline needs of it.
func (p *Pacer) claim(j *Job) capacity.Job {
	claim := capacity.Job{}
	for i, st := range j.Life.Stages {
		if st.Held > 0 {
			whole, one := p.capacity(j, i)
			aimed := p.aim(whole)
			if whole > 0 {
				one *= whole / aimed
			}
			claim.Stages = append(claim.Stages, capacity.Stage{Stage: uint32(i), Tasks: st.Held, Most: one, Capacity: aimed})
		}
	}
	claim.Needs = p.needs(j)
	return claim
}

// overshoot is the factor by which rates exceed what the cores are known to read. Throttled tasks
// leave each other more of the caches and of a core's sibling thread than the tasks from which the
// speed was learnt. With rates that just fit, four tasks used 1.75 of 2 cores, and a run took 11 %
// longer than without any. The hosts' mediators cut what does not fit, all alike.
const overshoot = 1.15

// aim is the capacity that rates divide: more than the cores are known to read, but
// no more than all tasks together may.
func (p *Pacer) aim(whole float64) float64 {
	if limit := p.Capacity; limit > 0 {
		return min(overshoot*whole, max(limit, whole))
	}
	return overshoot * whole
}

// capacity is what the pool could read for a stage's type, in bytes/s, and which
// part of it one task can: all of its cores. Where it is not known what a core
// reads, a task is taken to use as much of the capacity as of the cores.
func (p *Pacer) capacity(j *Job, stage int) (whole, one float64) {
	cores, width := max(p.pool.Cores(), 1), j.Life.Shape.Stages[stage].Cores().Float()
	speed := p.speed(j, stage)
	whole = cores * speed
	if limit := p.Capacity; limit > 0 && (speed <= 0 || limit < whole) {
		whole = limit
	}
	if speed <= 0 {
		return whole, min(width/cores, 1)
	}
	return whole, min(width*speed/whole, 1)
}

// speed returns what a task of the stage reads on one idle core, in bytes/s: as a host identified
// it, else as its completion-time model says; 0 if neither is known.
func (p *Pacer) speed(j *Job, stage int) float64 {
	if steady := p.pool.State().Steady(j.Life.Shape.Model(stage)); steady > 0 {
		return min(steady, datanode.MaxRate)
	}
	spec, curve := &j.Life.Shape.Stages[stage], j.Stages[stage].Curve
	bytes := j.Life.Stages[stage].Bytes
	if bytes <= 0 || !curve.Fitted && spec.Estimate <= 0 {
		return 0
	}
	return min(float64(bytes)/curve.Seconds(1)/float64(spec.CPU), datanode.MaxRate)
}

// needs returns the share of the pool's capacity that a job must have from now on for its deadline:
// what it still has to read, over what the pool could read until then, with a margin. Running tasks
// count as if they had just begun. What they have read is not known here, and too high a rate only
// leaves some slack. Once the deadline is past, nothing is needed any more: the job has its share.
func (p *Pacer) needs(j *Job) float64 {
	if j.Due == None || j.Due <= p.now {
		return 0
	}
	seconds := 0.0 // of the whole pool
	for i, st := range j.Life.Stages {
		if whole, _ := p.capacity(j, i); whole > 0 {
			seconds += float64(float64(j.Life.Left(i)) * float64(st.Bytes) / whole)
		}
	}
	left := float64(j.Due-p.now) / 1e9
	return math.Min(p.Margin*seconds/left, 1)
}

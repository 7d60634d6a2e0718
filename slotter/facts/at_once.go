package facts

import (
	"math"

	"lull/subjects/ledger"
	"lull/subjects/spec"
)

// unbounded is the number of tasks that may run at once where a document says none.
const unbounded = math.MaxInt

// CountRunning counts the attempts of the jobs with at_once, at a round's beginning. Every attempt counts until its
// host says that it is gone, also one that was revoked and one that waits in a place ahead. Those of lost hosts do
// not count: a dead machine would keep its jobs from going on.
func (f *Facts) CountRunning() {
	found := false
	for _, j := range f.Jobs.BySeq {
		if j.bounded {
			found = true
			j.clearRunning()
		}
	}
	if !found {
		return
	}
	for _, h := range f.Ledger.Hosts() {
		if h.Lost {
			continue
		}
		for _, at := range h.Attempts() {
			if j := f.Jobs.Of[at.Job]; j != nil && j.bounded {
				j.running++
				j.Stages[at.Task.Stage].running++
			}
		}
	}
	for _, j := range f.Jobs.BySeq {
		if j.bounded && j.full() {
			j.Served = f.Now // it does not wait for a slot
		}
	}
}

func (j *Job) clearRunning() {
	j.running = 0
	for i := range j.Stages {
		j.Stages[i].running = 0
	}
}

// full reports whether at_once keeps all tasks of the job from running.
func (j *Job) full() bool {
	for i := range j.Stages {
		if Spare(j, i) > 0 {
			return false
		}
	}
	return true
}

// Spare is how many more tasks of a stage may run beside those that do.
func Spare(j *Job, stage int) int {
	if !j.bounded {
		return unbounded
	}
	return max(min(left(j.Life.Shape.AtOnce, j.running), left(j.Life.Shape.Stages[stage].AtOnce, j.Stages[stage].running)), 0)
}

func left(most uint32, running int) int {
	if most == 0 {
		return unbounded
	}
	return int(most) - running
}

// Tryable is how many tasks of a stage that wait may be given away now.
func Tryable(j *Job, stage int) int { return min(j.Life.Tryable(stage), Spare(j, stage)) }

// PlanRunning notes that a task of the stage was given away. Works that may have no more of them run dry.
func PlanRunning(j *Job, stage int) {
	if !j.bounded {
		return
	}
	j.running++
	j.Stages[stage].running++
	for _, w := range j.Works {
		w.Dry = w.Dry || Spare(j, w.Stage) == 0
	}
}

// Usable is how many of the work's waiting tasks could have a slot at once.
func (w *Work) Usable() int { return min(w.Life.Waiting(), Spare(w.Job, w.Stage)) }

// widest is how many tasks of a stage of so many can run at once on so many slots.
func widest(life *ledger.Job, stage, slots int) int {
	return max(min(slots, int(spec.MostAtOnce(life.Shape, stage))), 1)
}

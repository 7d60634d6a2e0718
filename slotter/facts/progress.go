package facts

import "lull/subjects/tct"

// UpdateProgress notes how many tasks the job has to do now, and for how long its later stages will
// keep it. A map that ends at the deadline leaves its reduce no time.
func (f *Facts) UpdateProgress(j *Job) {
	done := 0
	j.Remaining = 0
	for i := range j.Life.Stages {
		switch {
		case j.Life.Over(i):
			done++
		case j.Life.Ready(i):
			j.Remaining += j.Life.Left(i)
		}
	}
	if done != j.done || f.Supply.Changes() != j.supply {
		j.done, j.supply, j.later = done, f.Supply.Changes(), f.later(j)
	}
}

// later is the longest chain of the stages that are not ready, each in as many
// waves as it fills the pool, on usual slots.
func (f *Facts) later(j *Job) float64 {
	if j.Due == Never || len(j.Stages) == 1 {
		return 0
	}
	seconds := make([]float64, len(j.Stages))
	for i, st := range j.Life.Stages {
		if !j.Life.Over(i) && !j.Life.Ready(i) && j.Life.Shape.Stages[i].RunsOnSuccess() {
			waves := (st.Len()-1)/widest(j.Life, i, f.Supply.Slots()) + 1
			seconds[i] = float64(waves) * f.Usual(j.Stages[i].Curve)
		}
	}
	return tct.CriticalPath(j.Life.Shape.Stages, seconds)
}

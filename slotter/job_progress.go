package slotter

import "lull/subjects/tct"

// updateProgress notes how many tasks the job has to do now, and for how long its later stages will
// keep it. A map that ends at the deadline leaves its reduce no time.
func (f *facts) updateProgress(j *job) {
	done := 0
	j.remaining = 0
	for i := range j.life.Stages {
		switch {
		case j.life.Over(i):
			done++
		case j.life.Ready(i):
			j.remaining += j.life.Left(i)
		}
	}
	if done != j.done || f.supply.Changes() != j.supply {
		j.done, j.supply, j.later = done, f.supply.Changes(), f.later(j)
	}
}

// later is the longest chain of the stages that are not ready, each in as many
// waves as it fills the pool, on usual slots.
func (f *facts) later(j *job) float64 {
	if j.due == never || len(j.stages) == 1 {
		return 0
	}
	seconds := make([]float64, len(j.stages))
	for i, st := range j.life.Stages {
		if !j.life.Over(i) && !j.life.Ready(i) && j.life.Shape.Stages[i].Usual() {
			waves := (st.Len()-1)/max(f.supply.Slots(), 1) + 1
			seconds[i] = float64(waves) * f.usual(j.stages[i].curve)
		}
	}
	return tct.CriticalPath(j.life.Shape.Stages, seconds)
}

package slotter

import "lull/subjects/tct"

// updateProgress notes how many tasks the job has to do now, and for how long its later stages will
// keep it. A map that ends at the deadline leaves its reduce no time.
func (x *waitlist) updateProgress(j *job) {
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
	if done != j.done || x.supply.Changes() != j.supply {
		j.done, j.supply, j.later = done, x.supply.Changes(), x.later(j)
	}
}

// later is the longest chain of the stages that are not ready, each in as many
// waves as it fills the pool, on usual slots.
func (x *waitlist) later(j *job) float64 {
	if j.due == never || len(j.stages) == 1 {
		return 0
	}
	seconds := make([]float64, len(j.stages))
	for i, st := range j.life.Stages {
		if !j.life.Over(i) && !j.life.Ready(i) && j.life.Shape.Stages[i].Usual() {
			waves := (st.Len()-1)/max(x.supply.Slots(), 1) + 1
			seconds[i] = float64(waves) * x.usual(j.stages[i].curve)
		}
	}
	return tct.CriticalPath(j.life.Shape.Stages, seconds)
}

// left is the seconds within which what the job has to do now must be done.
func (j *job) left(now int64) float64 {
	return max(float64(max(j.due-now, 0))/1e9-j.later, 0)
}

// onTrack reports whether the job's slots complete what it has to do now in
// time, by equation 3.
func (j *job) onTrack(now int64) bool { return j.completes(j.left(now), 1) }

// completes reports whether the job's slots, those just planned included, complete what it has to
// do now within so many seconds, if tasks take slow times as long as predicted.
func (j *job) completes(seconds, slow float64) bool {
	return seconds*float64(j.rate+j.planned) >= slow*float64(j.remaining)*rateUnit
}

package pacing

import (
	"lull/slotter/capacity"
	"lull/subjects"
)

// adopt takes over what the plan gives the job.
func (j *Job) adopt(planned *capacity.Job) {
	j.target.share, j.target.why = round6(planned.Share), subjects.PaceShare
	if planned.Needs > 0 && planned.Share <= planned.Needs*(1+offBy) {
		j.target.why = subjects.PaceDeadline
	}
	for i := range planned.Stages {
		st := &planned.Stages[i]
		j.target.rates = append(j.target.rates, subjects.Rate{Stage: st.Stage, Rate: float64(int64(st.Rate))})
	}
}

func round6(x float64) float64 { return float64(int64(x*1e6+0.5)) / 1e6 }

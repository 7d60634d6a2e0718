package simulated

import (
	"math"

	"lull/sim"
)

// outcome is what MIMP's table 3 says of a run.
type outcome struct {
	missed      float64 // jobs that finished after their deadline
	tct         float64 // hours, all committed tasks together
	failedJobs  float64 // that did not finish
	failedTasks float64 // of theirs that were not committed, and failed attempts
	late        float64 // seconds, mean over the missed, NaN for none
	wasted      float64 // hours of attempts that were not committed

	overShare, over, under float64 // predictions: see predictions
	end                    float64 // hours until the last job ended
	met, rejected          float64 // jobs
}

func outcomeOf(s *sim.Scenario, r *sim.Result) outcome {
	o := outcome{late: math.NaN(), end: r.End.Hours()}
	committed := map[string]float64{}
	for _, run := range r.Runs {
		hours := (run.End - run.Start).Hours()
		if run.Outcome != "committed" {
			o.wasted += hours
			continue
		}
		o.tct += hours
		committed[run.Job]++
	}
	late := 0.0
	for i := range r.Jobs {
		late += o.judge(&r.Jobs[i], tasks(&s.Jobs[i])-committed[r.Jobs[i].ID])
	}
	if o.missed > 0 {
		o.late = late / o.missed
	}
	o.overShare, o.over, o.under = predictions(r.Runs)
	return o
}

// judge counts a job of which so many tasks are not done, and returns how many
// seconds late it was.
func (o *outcome) judge(j *sim.JobResult, undone float64) float64 {
	late := j.Late(0).Seconds()
	switch {
	case j.State == "rejected":
		o.rejected++
	case j.State != "finished":
		o.failedJobs++
		o.failedTasks += undone
	case late > 0:
		o.missed++
		return late
	default:
		o.met++
	}
	return 0
}

func tasks(j *sim.Job) (n float64) {
	for i := range j.Spec.Stages {
		n += float64(j.Spec.Stages[i].Tasks)
	}
	return n
}

// predictions compares the expected time at assignment with the actual one. It returns the share
// that was predicted too long, and by how much, on average, too long and too short, relative to the
// actual time (MIMP, section 6.3.1).
func predictions(runs []sim.RunResult) (share, over, under float64) {
	overs, unders := 0.0, 0.0
	for _, r := range runs {
		seconds := (r.End - r.Start).Seconds()
		if r.Outcome != "committed" || r.Expected == 0 || seconds == 0 {
			continue
		}
		if e := r.Expected/seconds - 1; e > 0 {
			overs, over = overs+1, over+e
		} else {
			unders, under = unders+1, under-e
		}
	}
	return overs / (overs + unders), over / overs, under / unders
}

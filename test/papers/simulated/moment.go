package simulated

import (
	"math"
	"time"

	"lull/sim"
	"lull/subjects/tct"
)

// moment is a job as it stands at a time, and what its slots promise.
type moment struct {
	at          time.Duration
	slots, left int
	rate        float64 // tasks a second, by equation 3
}

// finish is the predicted end in seconds. Tasks that run are half done on
// average.
func (m moment) finish() float64 {
	if m.rate == 0 {
		return math.NaN()
	}
	return m.at.Seconds() + (float64(m.left)-float64(m.slots)/2)/m.rate
}

func momentOf(s *sim.Scenario, r *sim.Result, job int, at time.Duration) moment {
	j := r.Jobs[job]
	m := moment{at: at, left: int(tasks(&s.Jobs[job]))}
	for i := range r.Runs {
		run := &r.Runs[i]
		switch {
		case run.Job != j.ID:
		case run.End <= at && run.Outcome == "committed":
			m.left--
		case run.Start <= at && run.End > at:
			m.slots++
			m.rate += 1 / modelOf(s, run.Type).Seconds(run.Known)
		}
	}
	return m
}

func modelOf(s *sim.Scenario, name string) *tct.Curve {
	for i := range s.Models {
		if s.Models[i].Type == name {
			return tct.Of(&s.Models[i])
		}
	}
	return tct.Default(0)
}

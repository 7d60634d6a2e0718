// Package variance says by how much the times of tasks of one model vary, and draws them for
// rehearsals. A draw follows from its arguments alone, so a rehearsal can be repeated.
package variance

import (
	"math"

	"lull/admission/span"
	"lull/subjects"
	"lull/subjects/ledger"
)

const (
	// Guessed is the assumed standard deviation of the times of tasks without a
	// model, as a share of the mean. Measured types of tasks have 0.03 to 0.2.
	Guessed = 0.2
	// most bounds the standard deviation that a model may ask for, as a share of the mean.
	most = 0.5
	// apart is how many standard deviations lie between a normal variable's
	// tenth and ninetieth percentiles.
	apart = 2.5631
)

// normal holds sixteen equally likely values of a standard normal variable: the quantiles in the
// middle of sixteen equal parts of the probability.
var normal = [16]float64{
	-1.8627, -1.3180, -1.0100, -0.7764, -0.5791, -0.4023, -0.2372, -0.0784,
	0.0784, 0.2372, 0.4023, 0.5791, 0.7764, 1.0100, 1.3180, 1.8627,
}

// Of returns the standard deviation of the times of a model's tasks, as a share of their mean. For a
// model that does not tell, or nil, it is Guessed.
func Of(m *subjects.Fitted) float64 {
	if m == nil || !(m.Slow > m.Fast) || !(m.Fast > 0) {
		return Guessed
	}
	return span.Round(min((m.Slow-m.Fast)/apart, most), 1e3)
}

// Ninetieth returns the 90th percentile of the total time of a job's tasks, over the predicted total,
// if each task varies as its model says. All stages are taken to vary as much as the one that varies
// most.
func Ninetieth(s *ledger.State, j *ledger.Job) float64 {
	varies, tasks := 0.0, 0
	for i := range j.Shape.Stages {
		tasks += int(j.Shape.Stages[i].Tasks)
		varies = max(varies, Of(s.Model(j.Shape.Model(i))))
	}
	return 1 + apart/2*varies/math.Sqrt(float64(max(tasks, 1)))
}

// Deviation returns by how many standard deviations one task's time differs from the mean in one
// take of a rehearsal; 0 in the first take. It follows from the task's identity, not from an order
// of drawing. So a task takes the same time with a newcomer and without it, and what differs is the
// newcomer's effect.
func Deviation(take int, job int64, stage, task int) float64 {
	if take == 0 {
		return 0
	}
	return normal[mixBits(mixBits(uint64(job)+uint64(take)<<56)+uint64(stage)<<32+uint64(task))>>60]
}

// mixBits is the finalizer of SplitMix64 (Steele et al., Fast splittable
// pseudorandom number generators, 2014).
func mixBits(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

package search

import (
	"lull/placer/policy"
	"lull/placer/predict"
)

// Problem is the question.
type Problem struct {
	App       *predict.Application
	Snapshot  *predict.Snapshot
	Objective predict.Objective
	Hosts     int  // how many to choose, or all that can run a task if they are fewer
	Fewer     bool // fewer will do, if the job is no worse for it
}

// Answer is a set of hosts with its prediction.
type Answer struct {
	Hosts       []int // in rising order
	Result      predict.Result
	Evaluations int    // predictions that it took
	Found       []Step // how it got better
}

// Step is an improvement.
type Step struct {
	Evaluation int // from 1
	Seconds    float64
}

// Baseline is the answer of one of the policies.
type Baseline struct {
	policy.Policy
	Hosts  []int
	Result predict.Result
}

// Baselines predicts the four policies.
func (p Problem) Baselines() ([]Baseline, error) {
	predictor, err := predict.New(p.App, p.Snapshot)
	if err != nil {
		return nil, err
	}
	var all []Baseline
	for _, rule := range policy.All {
		hosts := rule.Choose(p.Snapshot, p.Hosts)
		all = append(all, Baseline{rule, hosts, predictor.Predict(hosts)})
	}
	return all, nil
}

// Merge returns the best of the answers, the first among equals, with the evaluations of all.
func Merge(objective predict.Objective, answers []Answer) Answer {
	var best Answer
	sum := 0
	for i, a := range answers {
		sum += a.Evaluations
		if i == 0 || objective.Better(a.Result, best.Result) {
			best = a
		}
	}
	best.Evaluations = sum
	return best
}

// note takes a set of hosts over if it is better than the answer.
func (a *Answer) note(objective predict.Objective, hosts []int, r predict.Result) {
	a.Evaluations++
	if a.Hosts != nil && !objective.Better(r, a.Result) {
		return
	}
	a.Hosts, a.Result = append(a.Hosts[:0], hosts...), r
	a.Found = append(a.Found, Step{a.Evaluations, r.Seconds})
}

package ledger

import (
	"math"

	"lull/subjects"
)

// identified keeps how a model's tasks follow their CPU cap, as it was learnt
// last. The attempt may have ended meanwhile: what it taught stays true.
func (s *State) identified(seq uint64, e *subjects.Identified) Verdict {
	j, h := s.jobs[e.Job], s.hosts[e.Host]
	switch {
	case h == nil || h.Term != e.Term:
		return void("the host is unknown, or has joined again since")
	case j == nil || int64(e.Stage) >= int64(len(j.Shape.Stages)):
		return void("the job has no such stage")
	case e.Refused != "" || !(math.Abs(e.A) < 1 && e.B > 0):
		return void("the host rejected the estimate, or no cap settles with it")
	}
	model := j.Shape.Model(int(e.Stage))
	s.responses.put(model, e, seq)
	s.forgetLearned()
	return accepted
}

// Response returns how the tasks of a model follow their CPU cap, nil if no
// host has identified it: see subjects.Identified. Do not change it.
func (s *State) Response(model string) *subjects.Identified { return s.responses.of[model] }

// Steady is what a task of the model reads on one core when it has settled, in
// bytes/s: B/(1−A), by Park and Humphrey's equation 1. It is 0 if no task has
// identified the model.
func (s *State) Steady(model string) float64 {
	r := s.responses.of[model]
	if r == nil {
		return 0
	}
	return r.B / (1 - r.A)
}

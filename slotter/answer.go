package slotter

import (
	"iter"

	"lull/slotter/answers"
	"lull/subjects/ledger"
)

// Answer replies to questions of hosts and clients: see package answers.
func (a *Actor) Answer(ask string, body []byte) []byte {
	facts := answers.Facts{
		State: a.state, Now: a.now, Retention: a.cfg.Retention, Tried: a.jobs.all(),
		DataNodes: a.dataNodes, Curves: a.curves,
	}
	return facts.Answer(ask, body)
}

// all yields the jobs that rounds look at, by submission.
func (s *jobs) all() iter.Seq[*ledger.Job] {
	return func(yield func(*ledger.Job) bool) {
		for _, j := range s.bySeq {
			if !yield(j.life) {
				return
			}
		}
	}
}

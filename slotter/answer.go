package slotter

import (
	"cmp"
	"iter"
	"slices"

	"lull/slotter/answers"
	"lull/subjects/ledger"
)

// Answer replies to questions of hosts and clients: see package answers.
func (a *Actor) Answer(ask string, body []byte) []byte {
	facts := answers.Facts{
		State: a.state, Now: a.now, Retention: a.cfg.Retention, Tried: a.jobs.from,
		DataNodes: a.dataNodes, Curves: a.curves, Usage: a.heardAfter, Speed: a.speed, Beat: a.beat,
	}
	return facts.Answer(ask, body)
}

// from yields the jobs that rounds look at, by submission, from an entry of the log on.
func (s *jobs) from(seq uint64) iter.Seq[*ledger.Job] {
	return func(yield func(*ledger.Job) bool) {
		at, _ := slices.BinarySearchFunc(s.bySeq, seq, func(j *job, seq uint64) int { return cmp.Compare(j.life.Seq, seq) })
		for _, j := range s.bySeq[at:] {
			if !yield(j.life) {
				return
			}
		}
	}
}

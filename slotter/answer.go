package slotter

import (
	"lull/slotter/answers"
)

// Answer replies to questions of hosts and clients: see package answers.
func (a *Actor) Answer(ask string, body []byte) []byte {
	facts := answers.Facts{
		State: a.facts.state, Now: a.facts.now, Retention: a.facts.cfg.Retention, Tried: a.facts.jobs.from,
		DataNodes: a.facts.dataNodes, Curves: a.facts.curves, Usage: a.facts.heardAfter, Speed: a.facts.speed, Beat: a.facts.beat,
	}
	return facts.Answer(ask, body)
}

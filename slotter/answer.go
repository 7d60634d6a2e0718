package slotter

import (
	"lull/slotter/answers"
)

// Answer replies to questions of hosts and clients: see package answers.
func (a *Actor) Answer(ask string, body []byte) []byte {
	facts := answers.Facts{
		State: a.facts.Ledger, Now: a.facts.Now, Retention: a.facts.Config.Retention, Tried: a.facts.Jobs.From,
		DataNodes: a.facts.DataNodes, Curves: a.facts.Curves, Usage: a.facts.ReportedAfter, Speed: a.facts.Speed, Beat: a.facts.Beat, Movable: a.assigner.Movable,
	}
	return facts.Answer(ask, body)
}

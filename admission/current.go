package admission

import (
	"time"

	"lull/admission/pool"
	"lull/admission/span"
	"lull/subjects"
)

// maxAnswerAge bounds how old a look at the pool may be that answers a question: people watch
// jobs that take seconds.
const maxAnswerAge = int64(200 * time.Millisecond)

// updatePredictions gives lines of live jobs the present predictions of their ends, in place of those in their
// last events.
func (a *Actor) updatePredictions(lines []subjects.JobLine) {
	asked := map[*pool.Load]*subjects.JobLine{}
	for i := range lines {
		if j := a.facts.Ledger.Job(lines[i].Job); j != nil && j.Live() {
			if l := a.pool.Load(j); l != nil {
				asked[l] = &lines[i]
			}
		}
	}
	if len(asked) == 0 {
		return
	}
	a.pool.RefreshSince(maxAnswerAge)
	played := a.judge.Current(func(l *pool.Load, finish span.Micros) {
		if line := asked[l]; line != nil {
			a.predicted(line, l, finish)
		}
	})
	if played || len(asked) > 1 {
		return
	}
	for l, line := range asked {
		a.predicted(line, l, a.judge.PredictEnd(l))
	}
}

// predicted fills in a job's predicted end, none if no host is expected to leave it any CPU.
func (a *Actor) predicted(line *subjects.JobLine, l *pool.Load, finish span.Micros) {
	line.Finish, line.Slack = 0, 0
	if finish >= span.Horizon {
		return
	}
	line.Finish = a.facts.At(finish)
	if l.Deadline != pool.None {
		line.Slack = (l.UntilDeadline(a.facts.Now) - finish).Seconds()
	}
}

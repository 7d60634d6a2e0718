package slotter

import "lull/subjects/ledger"

// fetches reports whether an attempt that has not started may still fetch its input: it is no
// straggler then, and a rival would only fetch the same once more. Patience is that of
// learning.Models.
func fetches(at *ledger.Attempt, now int64, patience float64) bool {
	return at.Started == 0 && patience > 0 && readsOthers(at) && float64(now-at.Assigned) < patience*1e9
}

func readsOthers(at *ledger.Attempt) bool {
	return len(at.Job.Shape.Stages[at.Task.Stage].From) > 0
}

// began counts an attempt's progress from its start on. Before that it fetched what it reads.
func (t *tracker) began(life *ledger.Attempt) {
	if life == nil || !readsOthers(life) || life.Started-life.Assigned < youngest {
		return
	}
	h := t.hosts.of[life.Host.Name]
	if h == nil {
		return
	}
	for i := range h.attempts {
		if at := &h.attempts[i]; at.life == life {
			at.done, at.since = 0, life.Started
		}
	}
}

package slotter

import "lull/subjects"

// edf gives every slot to the job with the earliest deadline; jobs without one
// come last.
type edf struct{}

func (edf) pick(_ *view, l *line, _ *host, _ int) (pick, bool) {
	w := head(l.urgent, &l.urgentFront)
	if w == nil {
		return pick{}, false
	}
	return pick{work: w, rule: subjects.RuleEDF, key: w.job.due}, true
}

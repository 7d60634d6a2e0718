package slotter

import "lull/subjects"

// fifo gives every slot to the job that was submitted first.
type fifo struct{}

func (fifo) pick(_ *view, l *line, _ *host, _ int) (pick, bool) {
	w := head(l.works, &l.front)
	return pick{work: w, rule: subjects.RuleFIFO}, w != nil
}

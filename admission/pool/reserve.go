package pool

import "lull/admission/span"

// SetAside is the part, one in so many, of a job's time that no promise counts on.
const SetAside = 10

// Reserve returns time for what rehearsals do not know: a policy may give a slot to another job
// than the most urgent one, while that is in no danger. It is the possible cost of this: a share of
// the job's time, but not more than a task.
func (l *Load) Reserve() span.Micros {
	if l.Deadline == None {
		return 0
	}
	return min(max(span.Since(l.Salt, l.Deadline)/SetAside, 0), l.Longest())
}

// Longest is the time of the longest of its tasks, on the best slot.
func (l *Load) Longest() (lasts span.Micros) {
	for i := range l.Stages {
		lasts = max(lasts, span.Of(l.Stages[i].Unit.BestSeconds*l.Stages[i].Unit.MarginFactor*l.Slow(i))+l.Stages[i].Lead())
	}
	return lasts
}

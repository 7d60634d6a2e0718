package admission

import "lull/admission/span"

// setAside is the part, one in so many, of a job's time that no promise counts on.
const setAside = 10

// reserve returns time for what rehearsals do not know: a policy may give a slot to another job
// than the most urgent one, while that is in no danger. It is the possible cost of this: a share of
// the job's time, but not more than a task.
func (l *load) reserve() span.Micros {
	if l.deadline == none {
		return 0
	}
	return min(max(span.Since(l.salt, l.deadline)/setAside, 0), l.longest())
}

// longest is the time of the longest of its tasks, on the best slot.
func (l *load) longest() (lasts span.Micros) {
	for i := range l.terms {
		lasts = max(lasts, span.Of(l.terms[i].unit.whole*l.terms[i].unit.worth*l.slow(i))+l.terms[i].lead())
	}
	return lasts
}

package actor

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Identified reports how a stage's tasks follow their CPU cap, learnt from one of
// them: T(k) = A·T(k−1) + B·C(k−1), in bytes/s and cores, Sample seconds apart.
// The attempt may have ended.
type Identified struct {
	Task
	Model    string // its name, "" if the job is not known
	A, B, R2 float64
	Sample   float64
	Samples  uint32
	Refused  string // why it is not to be used, "" if it may be
}

// maxLessons bounds what is owed to a log that takes nothing.
const maxLessons = 64

// learn notes what is to be said. A stage is said once at a time: of two tasks
// that were looked at together, the later one knows no better.
func (a *Actor) learn(l Identified) {
	if l.Refused != "" {
		l.A, l.B, l.R2 = 0, 0, 0 // figures of no model may be any, and the log takes none such
	}
	same := func(o Identified) bool { return o.Job == l.Job && o.Stage == l.Stage }
	if len(a.lessons) < maxLessons && !slices.ContainsFunc(a.lessons, same) {
		a.lessons = append(a.lessons, l)
	}
}

// learnt folds what stands in the log: it is owed no more. Whichever term said it,
// it was said.
func (a *Actor) learnt(e *subjects.Identified) {
	a.lessons = slices.DeleteFunc(a.lessons, func(l Identified) bool { return l.Job == e.Job && l.Attempt == e.Attempt })
	a.remember(e)
}

// lecture says what was learnt. It is fenced like every fact of the host, by the
// term, and owed until it comes back.
func (a *Actor) lecture(events []subjects.Event) []subjects.Event {
	for _, l := range a.lessons {
		if len(events) == actors.MaxBatch {
			break
		}
		fact := subjects.Fact{TaskID: l.TaskID, Term: a.term, Attempt: l.Attempt}
		events = append(events, &subjects.Identified{Host: a.cfg.Host, Job: l.Job, Fact: fact, Model: l.Model,
			A: l.A, B: l.B, R2: l.R2, Sample: l.Sample, Samples: l.Samples, Refused: l.Refused})
	}
	return events
}

package actor

import (
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Identified reports how the throughput of a stage's tasks follows their CPU cap, as identified on
// one of them: T(k) = A·T(k−1) + B·C(k−1). T is in bytes/s, C in cores, and samples are
// Sample seconds apart. The attempt may have ended.
type Identified struct {
	Task
	Model    string // its name, "" if the job is not known
	A, B, R2 float64
	Sample   float64
	Samples  uint32
	Refused  string // why it is not to be used, "" if it may be
}

// maxUnreported bounds what is kept while the log accepts nothing.
const maxUnreported = 64

// noteIdentified stores a model to be reported. Of two tasks of a stage that were
// identified together, only the first is reported: the other adds nothing.
func (m *models) noteIdentified(i Identified) {
	if i.Refused != "" {
		i.A, i.B, i.R2 = 0, 0, 0 // they may be NaN or infinite, which the log does not accept
	}
	same := func(o Identified) bool { return o.Job == i.Job && o.Stage == i.Stage }
	if len(m.unreported) < maxUnreported && !slices.ContainsFunc(m.unreported, same) {
		m.unreported = append(m.unreported, i)
	}
}

// appendOwed adds the models that the log lacks. Like all facts of the host they are
// fenced by the term, and are repeated until they come back from the log.
func (m *models) appendOwed(events []subjects.Event) []subjects.Event {
	for _, i := range m.unreported {
		if len(events) == actors.MaxBatch {
			break
		}
		fact := subjects.Fact{TaskID: i.TaskID, Term: m.term, Attempt: i.Attempt}
		events = append(events, &subjects.Identified{Host: m.cfg.Host, Job: i.Job, Fact: fact, Model: i.Model,
			A: i.A, B: i.B, R2: i.R2, Sample: i.Sample, Samples: i.Samples, Refused: i.Refused})
	}
	return events
}

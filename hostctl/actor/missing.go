package actor

import (
	"cmp"
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Missing reports outputs that the slotter counts on and that are certainly not on the host's
// disk: see store.Store.Gone.
type Missing struct{ Outputs []Output }

// Output is the output of a committed attempt.
type Output struct {
	Attempt uint64
	Job     string
	subjects.TaskID
	Folder string // where it was
}

// maxMissing bounds the reports that wait for the log. The next check finds the rest.
const maxMissing = 10_000

// missing keeps the vanished outputs that the host still has to report.
type missing struct {
	*facts
	outputs []Output // by attempt
}

// noteMissing stores outputs to be reported.
func (m *missing) noteMissing(report Missing) {
	for _, o := range report.Outputs {
		if at, known := m.indexOf(o.Attempt); !known && len(m.outputs) < maxMissing {
			m.outputs = slices.Insert(m.outputs, at, o)
		}
	}
}

// foldMissing folds a report of this host: it is in the log, and need not be sent again.
func (m *missing) foldMissing(e *subjects.OutputMissing) {
	if at, known := m.indexOf(e.Attempt); known {
		m.outputs = slices.Delete(m.outputs, at, at+1)
	}
}

// indexOf returns the index of an attempt's output, or the index at which to insert it.
func (m *missing) indexOf(attempt uint64) (at int, known bool) {
	return slices.BinarySearchFunc(m.outputs, attempt, func(o Output, id uint64) int { return cmp.Compare(o.Attempt, id) })
}

// appendOwed adds the reports to the host's events. Like all facts of the host they are fenced
// by the term, and are repeated until they come back from the log.
func (m *missing) appendOwed(events []subjects.Event) []subjects.Event {
	for _, o := range m.outputs {
		if len(events) == actors.MaxBatch {
			break
		}
		fact := subjects.Fact{TaskID: o.TaskID, Term: m.term, Attempt: o.Attempt}
		events = append(events, &subjects.OutputMissing{Host: m.cfg.Host, Job: o.Job, Fact: fact, Folder: o.Folder})
	}
	return events
}

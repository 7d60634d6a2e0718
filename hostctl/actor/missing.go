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

// miss notes outputs to be reported.
func (a *Actor) miss(m Missing) {
	for _, o := range m.Outputs {
		if at, known := a.findMissing(o.Attempt); !known && len(a.missing) < maxMissing {
			a.missing = slices.Insert(a.missing, at, o)
		}
	}
}

// missed folds a report of this host: it is in the log, and need not be sent again.
func (a *Actor) missed(e *subjects.OutputMissing) {
	if at, known := a.findMissing(e.Attempt); known {
		a.missing = slices.Delete(a.missing, at, at+1)
	}
}

func (a *Actor) findMissing(attempt uint64) (at int, known bool) {
	return slices.BinarySearchFunc(a.missing, attempt, func(o Output, id uint64) int { return cmp.Compare(o.Attempt, id) })
}

// tellMissing adds the reports to the host's events. Like all facts of the host they are fenced
// by the term, and are repeated until they come back from the log.
func (a *Actor) tellMissing(events []subjects.Event) []subjects.Event {
	for _, o := range a.missing {
		if len(events) == actors.MaxBatch {
			break
		}
		fact := subjects.Fact{TaskID: o.TaskID, Term: a.term, Attempt: o.Attempt}
		events = append(events, &subjects.OutputMissing{Host: a.cfg.Host, Job: o.Job, Fact: fact, Folder: o.Folder})
	}
	return events
}

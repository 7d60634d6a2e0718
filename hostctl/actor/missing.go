package actor

import (
	"cmp"
	"slices"

	"lull/actors"
	"lull/subjects"
)

// Missing reports outputs that the slotter counts on and that the shell did not find on
// the host's disk. It says so only when it is sure: see store.Store.Gone.
type Missing struct{ Outputs []Output }

// Output is what an attempt left that was committed.
type Output struct {
	Attempt uint64
	Job     string
	subjects.TaskID
	Folder string // where it was
}

// maxMissing bounds what is owed to a log that takes nothing. The next look finds the rest.
const maxMissing = 10_000

// miss notes what is to be said.
func (a *Actor) miss(m Missing) {
	for _, o := range m.Outputs {
		if at, known := a.findMissing(o.Attempt); !known && len(a.missing) < maxMissing {
			a.missing = slices.Insert(a.missing, at, o)
		}
	}
}

// missed folds what stands in the log: it is owed no more, whatever the ledger made of it.
func (a *Actor) missed(e *subjects.OutputMissing) {
	if at, known := a.findMissing(e.Attempt); known {
		a.missing = slices.Delete(a.missing, at, at+1)
	}
}

func (a *Actor) findMissing(attempt uint64) (at int, known bool) {
	return slices.BinarySearchFunc(a.missing, attempt, func(o Output, id uint64) int { return cmp.Compare(o.Attempt, id) })
}

// tellMissing adds what is missing. It is fenced like every fact of the host, by the
// term, and owed until it comes back.
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

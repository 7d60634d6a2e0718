// Package batch collects the events of one decision, as many as one batch of the log takes.
package batch

import (
	"lull/actors"
	"lull/subjects"
)

// Batch is a bounded list of events.
type Batch struct{ Events []subjects.Event }

// Room is how many more events fit.
func (b *Batch) Room() int { return actors.MaxBatch - len(b.Events) }

// Add takes an event if it fits. What does not fit is called for again when the
// batch has come back.
func (b *Batch) Add(e subjects.Event) {
	if b.Room() > 0 {
		b.Events = append(b.Events, e)
	}
}

package slotter

import (
	"lull/actors"
	"lull/subjects"
)

// batch is a bounded list of events.
type batch struct{ events []subjects.Event }

// room is how many more events fit.
func (b *batch) room() int { return actors.MaxBatch - len(b.events) }

// add takes an event if it fits. What does not fit is called for again when the
// batch has come back.
func (b *batch) add(e subjects.Event) {
	if b.room() > 0 {
		b.events = append(b.events, e)
	}
}

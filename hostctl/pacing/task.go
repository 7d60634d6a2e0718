package pacing

import (
	"math"
	"time"

	"lull/hostctl/pace"
)

// Task is one task that moves at a rate.
type Task struct {
	ID   uint64
	Slot int
	Most float64 // cores that it can use
	// Kind names what it has its model in common with, once it is live.
	Kind func() string
	// Live reports whether it runs now, and nothing but the pace holds it up.
	Live  func() bool
	Meter Meter

	Reference float64 // bytes/s
	// Priority decides which task gives way first: the one of the lower.
	Priority float64

	model   string       // what Kind said
	driver  *pace.Driver // nil until it was first seen alive
	trial   bool         // it shows how its kind follows the cap
	samples int          // so far
	starved bool         // it was said that it cannot reach its reference
	now     Moment
}

// Model is the kind of the task, as it was when it was first seen alive.
func (t *Task) Model() string { return t.model }

// Now is the last sample, and whether the reference was found to be out of reach. Call it from
// the pacer's callbacks alone.
func (t *Task) Now() (m Moment, starved bool) { return t.now, t.starved }

// Moment is one sample of a paced task.
type Moment struct {
	At        time.Time
	Rate      float64 // bytes/s, NaN if the sample says nothing
	Reference float64 // bytes/s
	InForce   float64 // cores that it might use meanwhile
	Cap       float64 // cores that it might from then on
	Trial     bool    // its model is being learnt
}

// claim is what the task asks of the host.
func (t *Task) claim() pace.Claim {
	if t.trial {
		// It needs the whole sine. A cap that others do not leave it says nothing
		// of it: the model would promise too little to all of its kind.
		return pace.Claim{Cores: t.Most, Most: t.Most, Priority: math.Inf(1)}
	}
	return pace.Claim{Cores: t.driver.Claim(t.Reference), Most: t.Most, Priority: t.Priority}
}

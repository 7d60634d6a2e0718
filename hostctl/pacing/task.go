package pacing

import (
	"math"
	"time"

	"lull/hostctl/pace"
)

// Task is one task that runs at a rate.
type Task struct {
	ID   uint64
	Slot int
	Most float64 // cores that it can use
	// Kind names the tasks that share its model. It is called once the task is live.
	Kind func() string
	// Live reports whether it runs now, with no limit but its pace.
	Live  func() bool
	Meter Meter

	Reference float64 // bytes/s
	// Priority: tasks of a lower one are slowed first.
	Priority float64

	model   string       // result of Kind
	driver  *pace.Driver // nil until the task was live once
	trial   bool         // its model is being identified
	samples int          // so far
	starved bool         // the log says that it cannot reach its reference
	now     Moment
}

// Model is the kind of the task, as it was when the task was first live.
func (t *Task) Model() string { return t.model }

// Now is the last sample, and whether the reference cannot be reached. Call it only from the
// pacer's callbacks.
func (t *Task) Now() (m Moment, starved bool) { return t.now, t.starved }

// Moment is one sample of a paced task.
type Moment struct {
	At        time.Time
	Rate      float64 // bytes/s, NaN if unknown
	Reference float64 // bytes/s
	InForce   float64 // cap in cores until At
	Cap       float64 // cap in cores from At on
	Trial     bool    // its model is being identified
}

// claim is the CPU that the task asks of the host.
func (t *Task) claim() pace.Claim {
	if t.trial {
		// A trial needs the whole sine. With a cap that the task cannot use because of
		// others, the model would predict too little for all tasks of the kind.
		return pace.Claim{Cores: t.Most, Most: t.Most, Priority: math.Inf(1)}
	}
	return pace.Claim{Cores: t.driver.Claim(t.Reference), Most: t.Most, Priority: t.Priority}
}

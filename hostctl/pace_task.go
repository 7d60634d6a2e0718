package hostctl

import (
	"math"
	"time"

	"lull/hostctl/pace"
)

// paced is one task that moves at a rate.
type paced struct {
	id   uint64
	slot int
	most float64 // cores that it can use
	// kind names what it has its model in common with, once it is live.
	kind  func() string
	model string // that name
	// live reports whether it runs now, and nobody but the pace holds it up.
	live  func() bool
	meter meter

	reference float64 // bytes/s
	priority  float64
	driver    *pace.Driver // nil until it was first seen alive
	trial     bool         // it shows how its kind follows the cap
	samples   int          // so far
	starved   bool         // it was said that it cannot reach its reference
	now       Moment
}

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
func (t *paced) claim() pace.Claim {
	if t.trial {
		// It needs the whole sine. A cap that others do not leave it says nothing
		// of it: the model would promise too little to all of its kind.
		return pace.Claim{Cores: t.most, Most: t.most, Priority: math.Inf(1)}
	}
	return pace.Claim{Cores: t.driver.Claim(t.reference), Most: t.most, Priority: t.priority}
}

package probing

import "time"

const (
	// atOnce is how many probes an agent takes part in without a pause: measuring 50 racks takes 98.
	atOnce = 100
	// every is the time after which an agent takes part in one more. A probe takes at most mostTime, so clients
	// that ask all the time have a fifteenth of it.
	every = 30 * time.Second
)

// budget bounds the probes of an agent, whichever clients ask for them. The zero value is a full budget.
type budget struct {
	full time.Time // when it is full again
}

// take takes a probe out of the budget. If it is used up, take returns how long it takes until there is one.
func (b *budget) take(now time.Time) (wait time.Duration, ok bool) {
	full := b.full
	if full.Before(now) {
		full = now
	}
	if wait = full.Add(every).Sub(now) - atOnce*every; wait > 0 {
		return wait, false
	}
	b.full = full.Add(every)
	return 0, true
}

package guard

import "time"

// Ration keeps batch work from starving, by MIMP's rule. If batch work has wanted a CPU for After
// and run for less than Run, it is raised out of the idle class. It falls back when it has run for
// Run, or when a slice has passed. The zero Ration never raises it.
type Ration struct {
	// After is MIMP's p: the time without enough CPU after which batch work is raised.
	// 0: never.
	After time.Duration
	// Run is MIMP's e: the CPU time that batch work gets in After, over all cores. 0: it
	// is never raised.
	Run time.Duration

	raised      bool
	since       time.Time // start of the present p, or of the slice
	usedAtSince float64   // CPU seconds used at since
	ran         time.Time // when it was last seen to have run
	usedAtRan   float64   // CPU seconds used at ran
	longest     time.Duration
	begun       bool
}

// sliceParts divides p to give the longest slice. Batch work that needs longer for e competes with
// a primary that needs the CPU itself. It must not be in the raised class beside that primary most
// of the time.
const sliceParts = 4

// Step takes the CPU seconds that batch work used since a fixed moment, and
// whether any of it could run. It returns whether batch work is to be raised.
func (r *Ration) Step(now time.Time, used float64, wants bool) bool {
	r.measureGap(now, used, wants)
	if r.After <= 0 || r.Run <= 0 {
		return false
	}
	had := time.Duration((used - r.usedAtSince) * float64(time.Second))
	waited := now.Sub(r.since)
	switch {
	case !r.begun || !wants || had < 0 || had >= r.Run:
		r.turn(now, used, false)
	case r.raised && waited >= r.After/sliceParts:
		r.turn(now, used, false)
	case !r.raised && waited >= r.After:
		r.turn(now, used, true)
	}
	return r.raised
}

func (r *Ration) turn(now time.Time, used float64, raised bool) {
	r.begun, r.since, r.usedAtSince, r.raised = true, now, used, raised
}

// measureGap measures how long batch work had no CPU although it could have run.
func (r *Ration) measureGap(now time.Time, used float64, wants bool) {
	if !wants || r.ran.IsZero() || used < r.usedAtRan || used-r.usedAtRan > tick {
		r.ran, r.usedAtRan = now, used
	}
	r.longest = max(r.longest, now.Sub(r.ran))
}

// tick is the CPU seconds above which batch work counts as having run. Less is the
// kernel's own work for the group.
const tick = 0.0005

// Longest is the longest time so far in which batch work wanted to run and did not. Its
// resolution is the time between steps.
func (r *Ration) Longest() time.Duration { return r.longest }

// Waiting is how long batch work has had no CPU now.
func (r *Ration) Waiting(now time.Time) time.Duration {
	if r.ran.IsZero() {
		return 0
	}
	return now.Sub(r.ran)
}

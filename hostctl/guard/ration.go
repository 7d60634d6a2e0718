package guard

import "time"

// Ration keeps batch work from starving, with MIMP's rule: if in After it wanted
// a CPU and did not run for Run, it is raised out of the idle class until it had
// that much, or a slice has passed, and falls back. The zero Ration raises never.
type Ration struct {
	// After is p, the time without enough CPU after which batch work is raised. 0
	// turns it off.
	After time.Duration
	// Run is e, the CPU time that it is to have had, over all cores. 0 turns it off.
	Run time.Duration

	raised  bool
	since   time.Time // start of the present p, or of the slice
	had     float64   // CPU seconds used at that moment
	ran     time.Time // when it was last seen to have run
	mark    float64   // CPU seconds used at that moment
	longest time.Duration
	begun   bool
}

// sliceParts is the part of p that a slice lasts at most: whoever needs longer for e
// finds a primary that takes the CPU from raised work too, and shall not be
// beside it in the raised class most of the time.
const sliceParts = 4

// Step takes the CPU seconds that batch work used since a fixed moment, and
// whether any of it could run. It returns whether batch work is to be raised.
func (r *Ration) Step(now time.Time, used float64, wants bool) bool {
	r.watch(now, used, wants)
	if r.After <= 0 || r.Run <= 0 {
		return false
	}
	had := time.Duration((used - r.had) * float64(time.Second))
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
	r.begun, r.since, r.had, r.raised = true, now, used, raised
}

// watch measures how long batch work stood still although it could have run.
func (r *Ration) watch(now time.Time, used float64, wants bool) {
	if !wants || r.ran.IsZero() || used < r.mark || used-r.mark > tick {
		r.ran, r.mark = now, used
	}
	r.longest = max(r.longest, now.Sub(r.ran))
}

// tick is the CPU seconds that count as having run: less is the kernel's own
// work on behalf of the group.
const tick = 0.0005

// Longest is the longest time, so far, in which batch work wanted to run and did
// not, as finely as steps were taken.
func (r *Ration) Longest() time.Duration { return r.longest }

// Waiting is how long batch work has been standing still now.
func (r *Ration) Waiting(now time.Time) time.Duration {
	if r.ran.IsZero() {
		return 0
	}
	return now.Sub(r.ran)
}

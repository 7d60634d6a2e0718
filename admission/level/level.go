// Package level predicts when a pool's slots have done an amount of work, if it is spread evenly over
// the slots as they become free (MIMP, equation 6).
package level

import (
	"slices"

	"lull/admission/span"
)

// Level holds the times at which slots become free. Work fills the slots as water fills a basin with
// a stepped floor: the level of the water is the time when the work is done. A running task is not
// taken off its slot for a more urgent job, so a job waits for it whatever its deadline is: the
// blocking of deadline scheduling without preemption.
//
//	slot 1  ▓▓▓▓▓▓▓▓▓▓······│        ▓ runs already, till free
//	slot 2  ▓▓▓▓············│        · waiting work, spread over the slots
//	slot 3  ················│          that are free, like water over steps
//	now ────────────────────┴──▶ the level
type Level struct {
	Free []span.Micros // when each slot is free, ascending
	busy []span.Micros // busy[k] is the sum of the first k of free
}

// New returns the level of slots that become free at these times. It sorts and keeps the list.
func New(free []span.Micros) *Level {
	slices.Sort(free)
	v := &Level{Free: free, busy: make([]span.Micros, len(free)+1)}
	for k, at := range free {
		v.busy[k+1] = v.busy[k] + at
	}
	return v
}

// Slots is how many slots there are.
func (v *Level) Slots() int { return len(v.Free) }

// room is the work that the first k slots can do until the next one is free.
func (v *Level) room(k int) span.Micros {
	if k == len(v.Free) {
		return span.Endless
	}
	return span.Micros(k)*v.Free[k] - v.busy[k]
}

// Rise is a cursor that finds the level for growing amounts of work.
type Rise struct {
	*Level
	K int // slots below the level
}

// To returns when so much work is done. The work must not be less than at the last call.
func (r *Rise) To(work span.Micros) span.Micros {
	if len(r.Free) == 0 || work >= span.Endless {
		return span.Horizon
	}
	r.K = max(r.K, 1)
	for r.room(r.K) < work {
		r.K++
	}
	k := span.Micros(r.K)
	return min((work+r.busy[r.K]+k-1)/k, span.Horizon)
}

// After returns a cursor that stands where so much work is done. It searches by bisection.
func (v *Level) After(work span.Micros) Rise {
	low, high := 1, max(len(v.Free), 1)
	for low < high {
		if middle := (low + high) / 2; v.room(middle) < work {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return Rise{v, low}
}

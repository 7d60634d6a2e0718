package admission

import "slices"

// level returns when the pool's slots have done an amount of work, if each of them takes part from
// when it is free. A running task is not taken off its slot for a more urgent job, so a job waits
// for it whatever its deadline is: the blocking of deadline scheduling without preemption.
//
//	slot 1  ▓▓▓▓▓▓▓▓▓▓······│        ▓ runs already, till free
//	slot 2  ▓▓▓▓············│        · waiting work, spread over the slots
//	slot 3  ················│          that are free, like water over steps
//	now ────────────────────┴──▶ the level
type level struct {
	free []micros // when each slot is free, ascending
	busy []micros // busy[k] is the sum of the first k of free
}

func newLevel(free []micros) *level {
	slices.Sort(free)
	v := &level{free: free, busy: make([]micros, len(free)+1)}
	for k, at := range free {
		v.busy[k+1] = v.busy[k] + at
	}
	return v
}

func (v *level) slots() int { return len(v.free) }

// room is the work that the first k slots can do until the next one is free.
func (v *level) room(k int) micros {
	if k == len(v.free) {
		return endless
	}
	return micros(k)*v.free[k] - v.busy[k]
}

// rise follows the level while the work grows.
type rise struct {
	*level
	k int // slots below the level
}

// to returns when so much work is done. It must not be less than before.
func (r *rise) to(work micros) micros {
	if len(r.free) == 0 || work >= endless {
		return horizon
	}
	r.k = max(r.k, 1)
	for r.room(r.k) < work {
		r.k++
	}
	k := micros(r.k)
	return min((work+r.busy[r.k]+k-1)/k, horizon)
}

// after puts the cursor where so much work is done, by bisection.
func (v *level) after(work micros) rise {
	low, high := 1, max(len(v.free), 1)
	for low < high {
		if middle := (low + high) / 2; v.room(middle) < work {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return rise{v, low}
}

package spread

import "time"

// resting knows the threads that are to be left where they are for a while.
type resting struct {
	threads [maxResting]rester
	next    int
}

type rester struct {
	thread int
	until  time.Duration
}

// isResting reports whether a thread is to be left alone.
func (r *resting) isResting(now time.Duration, thread int) bool {
	for i := range r.threads {
		if t := &r.threads[i]; t.thread == thread && now < t.until {
			return true
		}
	}
	return false
}

// add takes a thread in, or lengthens its rest. The one that came in first is forgotten
// where there are too many.
func (r *resting) add(thread int, until time.Duration) {
	for i := range r.threads {
		if t := &r.threads[i]; t.thread == thread {
			t.until = max(t.until, until)
			return
		}
	}
	r.threads[r.next] = rester{thread, until}
	r.next = (r.next + 1) % maxResting
}

package ledger

import (
	"cmp"
	"slices"
	"time"
)

// clock is the log's time according to its entries' stamps. The server stamps them with its own
// clock, which may be wrong for a moment: a stamp a day ahead must not delay a task's retry by a
// day. The time advances with each later stamp. It goes back by more than skew only when backAfter
// entries in a row are earlier. Times of the state that are then in the future are corrected, too.
type clock struct {
	now          int64 // Unix nanoseconds
	leap         int64 // now after its last advance by more than skew, 0 for never
	earlier      int64 // stamp of the last entry if it was more than skew behind
	earlierInRow int   // number of such entries in a row
}

// backAfter is the number of entries in a row that turn the time back.
const backAfter = 2

// applyStamp applies an entry's stamp and returns by how much the time went back.
func (c *clock) applyStamp(stamp int64) (back int64) {
	switch {
	case stamp > c.now+int64(skew):
		c.leap = stamp
		fallthrough
	case stamp >= c.now-int64(skew):
		c.now, c.earlierInRow = max(c.now, stamp), 0
		return 0
	}
	if c.earlierInRow == 0 || stamp < c.earlier-int64(skew) || stamp > c.earlier+int64(time.Hour) {
		c.earlierInRow = 0
	}
	if c.earlier, c.earlierInRow = stamp, c.earlierInRow+1; c.earlierInRow < backAfter {
		return 0
	}
	back = c.now - stamp
	c.now, c.earlierInRow = stamp, 0
	return back
}

// Now is the time of the log according to its last entries, in Unix nanoseconds.
func (s *State) Now() int64 { return s.clock.now }

// rewind corrects the times that were noted while the clock was ahead by back.
func (s *State) rewind(back int64) {
	now := s.clock.now
	for _, h := range s.byID {
		h.Since = min(h.Since, now)
		for _, a := range h.attempts {
			a.Assigned, a.Started = min(a.Assigned, now), min(a.Started, now)
		}
	}
	for j := range s.order.All() {
		j.Admitted, j.Ended = min(j.Admitted, now), min(j.Ended, now)
		for _, st := range j.Stages {
			st.rewind(max(s.clock.leap, now), back)
		}
	}
	s.harm.Rewind(now)
	s.clock.leap = 0
}

// rewind brings forward the waits that begin after a time.
func (st *Stage) rewind(after, back int64) {
	moved := false
	for i := range st.delayed {
		if st.delayed[i].at >= after {
			st.delayed[i].at -= back
			moved = true
		}
	}
	if moved {
		slices.SortStableFunc(st.delayed, func(a, b delay) int { return cmp.Compare(a.at, b.at) })
	}
}

package ledger

import (
	"cmp"
	"slices"
	"time"
)

// clock is the log's time as its entries tell it. A server stamps them with its
// own clock, which may be wrong for a moment: then what is stamped so must not
// have tasks wait for a day. The time goes on with each entry that is stamped
// later; it goes back by more than skew when backAfter entries in a row say so. Then
// all times of the state that are still to come were wrong.
type clock struct {
	now  int64 // Unix nanoseconds
	leap int64 // now after it last went on by more than skew at once, 0 for never
	odd  int64 // stamp of the last entry, if it was behind by more than skew
	odds int   // how many such entries came in a row
}

// backAfter is how many entries in a row turn the time back.
const backAfter = 2

// read takes in an entry's stamp. Back is by how much the time went back.
func (c *clock) read(stamp int64) (back int64) {
	switch {
	case stamp > c.now+int64(skew):
		c.leap = stamp
		fallthrough
	case stamp >= c.now-int64(skew):
		c.now, c.odds = max(c.now, stamp), 0
		return 0
	}
	if c.odds == 0 || stamp < c.odd-int64(skew) || stamp > c.odd+int64(time.Hour) {
		c.odds = 0
	}
	if c.odd, c.odds = stamp, c.odds+1; c.odds < backAfter {
		return 0
	}
	back = c.now - stamp
	c.now, c.odds = stamp, 0
	return back
}

// Now is the time of the log, in Unix nanoseconds: what its last entries say.
func (s *State) Now() int64 { return s.clock.now }

// rewind corrects what was noted while the time was ahead by so much.
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
	for _, t := range s.tolls {
		t.rewind(now)
	}
	s.clock.leap = 0
}

// rewind brings waits forward that begin after a time.
func (st *Stage) rewind(after, back int64) {
	moved := false
	for i := range st.later {
		if st.later[i].at >= after {
			st.later[i].at -= back
			moved = true
		}
	}
	if moved {
		slices.SortStableFunc(st.later, func(a, b delay) int { return cmp.Compare(a.at, b.at) })
	}
}

// rewind moves the hour in which a toll was counted last to the present one.
func (t *Toll) rewind(now int64) {
	hour := now / int64(time.Hour)
	if t.last <= hour {
		return
	}
	sum := t.days[t.last%hours]
	t.days[t.last%hours] = Harm{}
	t.days[hour%hours].Add(sum)
	t.last = hour
}

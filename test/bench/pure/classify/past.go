package classify

import "lull/classifier/series"

// past records for each sample of a series whether a task begun there would have stayed.
type past struct {
	perDay int
	within []bool // usage is known and leaves room
	next   []int  // the first later sample that does not leave room
}

func newPast(s *series.Series, room float64) *past {
	p := &past{perDay: int(series.Day / s.Step), within: make([]bool, len(s.Mean)), next: make([]int, len(s.Mean))}
	next := 1 << 40
	for i := len(s.Mean) - 1; i >= 0; i-- {
		p.next[i] = next
		p.within[i] = float64(s.Mean[i]) <= room
		if float64(s.Mean[i]) > room {
			next = i
		}
	}
	return p
}

func (p *past) room(at int) bool { return p.within[at] }

// stayed is 1 if so many samples after a start leave room, 0 if not.
func (p *past) stayed(at, span int) float64 {
	if p.next[at] > at+span {
		return 1
	}
	return 0
}

// rate is the part of the last week's starts with a known outcome that stayed: of all of them, or
// of those within half an hour of the same time of day. It is ½ without any.
func (p *past) rate(at, span int, same bool) float64 {
	stayed, n := 0.0, 0.0
	count := func(start int) {
		if start >= 0 && start+span <= at && p.within[start] {
			stayed += p.stayed(start, span)
			n++
		}
	}
	for day := 1; day <= 7; day++ {
		first, last, step := at-day*p.perDay, at-(day-1)*p.perDay, 3
		if same {
			first, last = first-p.perDay/48, first+p.perDay/48+1
		}
		for start := first; start < last; start += step {
			count(start)
		}
	}
	if n == 0 {
		return 0.5
	}
	return stayed / n
}

package flow

import "math"

// fills is a link, and the level at which it is full if no more flows stop.
type fills struct {
	link int32
	at   float64
}

// together is how close, in parts of them, two levels are that count as one: links that fill up at the same level,
// but for rounding, are full together.
const together = 1e-12

// narrow finds the level at which the first link is full, +Inf if there is none, and lists the links that are full then.
//
// It looks at each link that flows load by themselves. Of those that only commons load it looks at few: each
// common's links stand in the order in which it alone would fill them. What flows take back only makes
// a link less full. So no link further down can be full, once the next ones of all commons together would not be.
func (s *Sharing) narrow() float64 {
	s.near = s.near[:0]
	level := math.Inf(1)
	if s.round == 0 && int(s.hint) < len(s.links) {
		level, _ = s.consider(s.hint, level) // most often it is the first again, and all others are soon passed over
		s.near = s.near[:0]
	}
	level = s.narrowCommons(level)
	level = s.narrowOwn(level)
	full := s.near[:0]
	for _, l := range s.near {
		if l.at <= level*(1+together) {
			full = append(full, l)
		}
	}
	s.near = full
	return level
}

// narrowOwn looks at the links that flows load by themselves, and keeps those over which flows rise still.
func (s *Sharing) narrowOwn(level float64) float64 {
	kept := 0
	for k, l := range s.open {
		if l.at <= level*(1+10*together) {
			least, rises := s.consider(l.link, level)
			if !rises {
				continue
			}
			level = least
		}
		if kept < k {
			s.open[kept] = l
		}
		kept++
	}
	s.open = s.open[:kept]
	return level
}

// narrowCommons looks at the links of commons.
func (s *Sharing) narrowCommons(level float64) float64 {
	for _, i := range s.active {
		c := &s.commons[i]
		c.at = c.first
		c.bear(level)
	}
	for {
		var first *common
		all, most := 0.0, 0.0
		for _, i := range s.active {
			c := &s.commons[i]
			if c.most <= 0 {
				continue
			}
			if next := s.next(c); next != nil {
				part := float64(c.most * next.part)
				all += part
				if part > most {
					first, most = c, part
				}
			}
		}
		if all < 1-10*together || first == nil {
			return level
		}
		link := s.loaded[first.at].link
		first.at++
		if least, _ := s.consider(link, level); least < level {
			level = least
			for _, i := range s.active {
				s.commons[i].bear(level)
			}
		}
	}
}

// bear computes what a common bears at a level.
func (c *common) bear(level float64) {
	c.most = c.used
	if c.slope > 0 {
		c.most += float64(c.slope * level)
	}
}

// consider lists a link if it may be the first, and returns the least level, and whether any flow over
// the link rises.
func (s *Sharing) consider(link int32, level float64) (float64, bool) {
	slope, used, gross := s.slope[link], s.used[link], s.gross[link]
	if math.IsInf(slope, -1) {
		return level, false // it is full
	}
	for _, i := range s.active {
		c := &s.commons[i]
		if per := s.vectors[int(i)*len(s.links)+int(link)]; per > 0 {
			rise := float64(c.slope * per)
			slope, gross = slope+rise, gross+rise
			used += float64(c.used * per)
		}
	}
	if slope <= gross*tiny {
		return level, false
	}
	left := max(s.capacity[link]-used, 0)
	if left > level*slope*(1+10*together) {
		return level, true
	}
	at := left / slope
	if at <= level*(1+together) {
		s.near = append(s.near, fills{link, at})
	}
	return min(at, level), true
}

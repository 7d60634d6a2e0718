package flow

// common is a set of loads that many flows have, each in its own proportion. Filling handles them at once.
type common struct {
	first, end int32 // of the links that it loads, in Sharing.loaded
	sorted     int32 // so many of them stand in their order: the one that is full first comes first
	sealed     bool  // the parts of their capacities are known

	// While filling:
	head  int32   // of its flows that rise, -1 for none
	slope float64 // their weight times per
	sum   float64 // slope when it was last added up
	used  float64 // rate times per of the others
	at    int32   // the next of its links that narrow looks at
	most  float64 // used and slope at the least level that narrow has found
}

// onLink is what a common loads a link with, as a part of the link's capacity.
type onLink struct {
	link int32
	part float64
}

// Common adds a set of loads and returns its number, from 0. No link may be added after it.
func (s *Sharing) Common() int {
	at, n := int32(len(s.loaded)), len(s.vectors)
	s.commons = append(s.commons, common{head: -1, first: at, end: at, sorted: at})
	for range s.links {
		s.vectors = append(s.vectors, 0)
	}
	clear(s.vectors[n:])
	return len(s.commons) - 1
}

// LoadCommon has the common that was added last load a link with so much more.
func (s *Sharing) LoadCommon(link int, per float64) {
	n := len(s.commons) - 1
	v := s.vector(n)
	if v[link] == 0 && per != 0 {
		s.loaded = append(s.loaded, onLink{link: int32(link)})
		s.links[link].mixed = true
		s.measure(int32(link))
		s.commons[n].end++
	}
	v[link] += per
}

// vector is what a common loads each link with.
func (s *Sharing) vector(common int) []float64 {
	n := len(s.links)
	return s.vectors[common*n : (common+1)*n]
}

// Join has the flow that was added last load all that a common loads with per times its rate, beside
// its own loads.
func (s *Sharing) Join(to int, per float64) {
	f := &s.flows[len(s.flows)-1]
	f.common, f.per = int32(to), per
}

// seal computes how large a part of each link a common takes.
func (s *Sharing) seal(i int) {
	c := &s.commons[i]
	if c.sealed {
		return
	}
	c.sealed = true
	v := s.vector(i)
	loaded := s.loaded[c.first:c.end]
	for k := range loaded {
		at := &loaded[k]
		at.part = v[at.link] / s.capacity[at.link]
	}
}

// next is the link that a common would fill first of those that narrow has not looked at, nil if there is none.
// They are put in order no further than they are asked for: few ever are.
func (s *Sharing) next(c *common) *onLink {
	if c.at == c.end {
		return nil
	}
	if c.at == c.sorted {
		most := c.at
		for k := c.at + 1; k < c.end; k++ {
			if s.loaded[k].part > s.loaded[most].part {
				most = k
			}
		}
		s.loaded[c.at], s.loaded[most] = s.loaded[most], s.loaded[c.at]
		c.sorted++
	}
	return &s.loaded[c.at]
}

// settle adds up the slope of a common anew, once so much was taken from it that rounding would show, and forgets
// the flows that stopped.
func (s *Sharing) settle(c *common) {
	if c.slope > c.sum/2 {
		return
	}
	c.sum = 0
	for at := &c.head; *at >= 0; {
		f := &s.flows[*at]
		if f.fixed {
			*at = f.after
			continue
		}
		c.sum += float64(f.weight * f.per)
		at = &f.after
	}
	c.slope = c.sum
}

package flow

// common is a set of loads that many flows have, each in its own proportion. Filling handles them at once.
type common struct {
	last  int32 // of its flows, -1 for none
	flows int32
	sum   float64 // of weight times per

	first, end int32 // of the links that it loads, in Sharing.loaded

	// While filling, of flows that stopped in this round:
	slope, used float64
}

// Common adds a set of loads and returns its number, from 0. No link may be added after it.
func (s *Sharing) Common() int {
	at, n := int32(len(s.loaded)), len(s.vectors)
	s.commons = append(s.commons, common{last: -1, first: at, end: at})
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
		s.loaded = append(s.loaded, int32(link))
		s.commons[n].end++
	}
	v[link] += per
}

// loadsOf returns the links that a common loads, and by link how much it does.
func (s *Sharing) loadsOf(common int) (links []int32, vector []float64) {
	c := &s.commons[common]
	return s.loaded[c.first:c.end], s.vector(common)
}

// vector is what a common loads each link with.
func (s *Sharing) vector(common int) []float64 {
	n := len(s.links)
	return s.vectors[common*n : (common+1)*n]
}

// Join has the flow that was added last load all that a common loads with per times its rate, beside
// its own loads.
func (s *Sharing) Join(to int, per float64) {
	n := int32(len(s.flows) - 1)
	f, c := &s.flows[n], &s.commons[to]
	f.common, f.before, f.per = int32(to), c.last, per
	c.last = n
	c.flows++
	c.sum += f.weight * per
}

// leave takes a flow out of its common.
func (s *Sharing) leave(f *flow) {
	if f.common < 0 {
		return
	}
	c := &s.commons[f.common]
	if c.flows--; c.flows == 0 {
		c.sum = 0
		return
	}
	c.sum -= f.weight * f.per
}

// settle counts the flows of commons that stopped on all links of these.
func (s *Sharing) settle() {
	for i := range s.commons {
		c := &s.commons[i]
		if c.slope <= 0 {
			continue
		}
		links, vector := s.loadsOf(i)
		for _, at := range links {
			l, per := &s.links[at], vector[at]
			l.slope -= c.slope * per
			l.used += c.used * per
		}
		c.slope, c.used = 0, 0
	}
}

// own is what a flow loads a link with by itself.
func (s *Sharing) own(f *flow, link int32) float64 {
	for _, at := range s.loads[f.first:f.end] {
		if at.link == link {
			return at.per
		}
	}
	return 0
}

package predict

import "math"

// share computes the rates of pulls after some came or went.
func (p *Predictor) share() {
	for i := range p.pulls {
		f := &p.pulls[i]
		f.left -= float64(f.rate * (p.now - p.filled))
	}
	p.filled = p.now
	if p.dirty || p.linked != len(p.groups) || p.sharing.Flows() > 2*len(p.pulls)+fewFlows {
		p.reconnect()
	}
	for i := range p.pulls {
		if f := &p.pulls[i]; f.flow < 0 {
			p.connect(f)
		}
	}
	p.sharing.Fill()
	arrives, oldest := math.Inf(1), p.now
	for i := range p.pulls {
		f := &p.pulls[i]
		f.rate = p.sharing.Rate(int(f.flow))
		f.ends = p.now + max(f.left, 0)/f.rate
		if f.ends < arrives {
			arrives = f.ends
		}
		if f.since < oldest {
			oldest = f.since
		}
	}
	p.arrives, p.oldest = arrives, oldest
	p.dirty, p.refill = false, false
}

// fewFlows is a number of flows that are over that costs nothing to keep.
const fewFlows = 64

// reconnect lists links anew, and has all pulls connect: those above the hosts, then out and in of a
// host of each group.
func (p *Predictor) reconnect() {
	s, tree := &p.sharing, p.snapshot.Tree
	s.Reset()
	for link := range tree.Links() {
		s.Link(tree.Capacity(link))
	}
	for i := range p.groups {
		s.Link(p.groups[i].out)
		s.Link(p.groups[i].in)
	}
	p.linked = len(p.groups)
	for i := range p.stages {
		p.stages[i].common = -1
	}
	kept := p.pulls[:0]
	for _, f := range p.pulls {
		c := &p.cohorts[f.cohort]
		if !f.single && f.source != bundle && p.remote(c, int(f.source)) == 0 {
			c.pulls-- // what it had to fetch from its like is on a host of its own now
			continue
		}
		f.flow = -1
		kept = append(kept, f)
	}
	p.pulls = kept
}

// connect adds the flow of a pull.
func (p *Predictor) connect(f *pull) {
	c := &p.cohorts[f.cohort]
	f.flow = int32(p.sharing.Flow(f.weight))
	switch {
	case f.source == bundle:
		p.connectBundle(c)
	case f.single:
		p.connectSingle(c, int(f.source))
	default:
		p.connectGroup(c, int(f.source))
	}
}

// connectGroup has the last flow load what the same number of bytes from each of a group's hosts to
// each task does.
func (p *Predictor) connectGroup(c *cohort, from int) {
	g, tree, s := &p.groups[c.group], p.snapshot.Tree, &p.sharing
	readers, hosts := float64(c.tasks*g.hosts), p.remote(c, from)
	s.Load(p.inLink(c), float64(c.tasks)*hosts)
	s.Load(tree.Links()+2*from, readers*hosts/float64(p.groups[from].hosts))
	p.path = tree.Path(p.path[:0], p.groups[from].rack, g.rack)
	for _, link := range p.path {
		s.Load(link, readers*hosts)
	}
}

func (p *Predictor) inLink(c *cohort) int { return p.snapshot.Tree.Links() + 2*int(c.group) + 1 }

// connectSingle has the last flow load what one request to one of a group's hosts does.
func (p *Predictor) connectSingle(c *cohort, from int) {
	tree := p.snapshot.Tree
	p.sharing.Load(tree.Links()+2*from, 1/float64(p.groups[from].hosts))
	p.sharing.Load(p.inLink(c), 1)
	p.path = tree.Path(p.path[:0], p.groups[from].rack, p.groups[c.group].rack)
	for _, link := range p.path {
		p.sharing.Load(link, 1)
	}
}

// connectBundle has the last flow draw from all hosts in proportion to what they keep: what all of a stage's
// tasks load, without what their own host and rack keep.
func (p *Predictor) connectBundle(c *cohort) {
	s, g, tree := &p.stages[c.stage], &p.groups[c.group], p.snapshot.Tree
	if s.common < 0 {
		p.list(s)
	}
	own := s.kept[c.group].bytes
	readers := float64(c.tasks * g.hosts)
	per := readers / (s.total.bytes - own) // rate by byte
	p.sharing.Join(s.common, per)
	p.sharing.Load(p.inLink(c), float64(c.tasks))
	p.sharing.Load(tree.Links()+2*int(c.group), -per*own/float64(g.hosts))
	rest := s.inRacks - s.racks[g.rack]
	p.sharing.Load(tree.Up(g.rack), -per*s.racks[g.rack])
	p.sharing.Load(tree.Down(g.rack), per*rest)
	if above := tree.Racks[g.rack].Above; above > 0 {
		inside := 0.0
		for rack, bytes := range s.racks {
			if tree.Racks[rack].Above == above {
				inside += bytes
			}
		}
		link := 2 * (len(tree.Racks) + above - 1)
		p.sharing.Load(link, -per*inside)
		p.sharing.Load(link+1, per*(rest+s.racks[g.rack]-inside))
	}
}

// list lists the load of each byte that hosts keep for a stage's tasks, on its way out of their racks.
func (p *Predictor) list(s *stage) {
	tree := p.snapshot.Tree
	s.common = p.sharing.Common()
	for at, kept := range s.kept[:len(p.groups)] {
		p.sharing.LoadCommon(tree.Links()+2*at, kept.bytes)
	}
	for rack, bytes := range s.racks {
		p.sharing.LoadCommon(tree.Up(rack), bytes)
		if above := tree.Racks[rack].Above; above > 0 {
			p.sharing.LoadCommon(2*(len(tree.Racks)+above-1), bytes)
		}
	}
}

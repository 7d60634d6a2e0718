package predict

import "lull/subjects/tct"

// group is a number of adjacent hosts that are alike and have lived alike until now.
type group struct {
	first, hosts int // position of the first in the slotter's order, and how many
	rack         int
	out, in      float64 // bytes/s of a host's NIC, or of its disk if that is slower
	disk         float64
	slots, busy  int // of a host: slots of the job, and those that are taken
	others       int // slots that other jobs hold
	idle         float64

	rated    int // busy slots that the rates of its tasks reckon with
	step     int // residual of the next slot, in tct's steps; -1 if none is free
	turn     int // tasks that each host was given in this round
	fresh    int32
	fetching int  // tasks of a host that fetch
	apart    bool // it keeps outputs of its own: no other host is like it
}

// gather makes groups of the candidate's hosts, and of those that keep outputs.
func (p *Predictor) gather(candidate []int) {
	p.groups = p.groups[:0]
	p.width = len(candidate) + len(p.holders)
	p.bytes = zeroed(p.bytes, p.width*len(p.stages))
	p.files = zeroed(p.files, p.width*len(p.stages))
	holders := p.holders
	for _, host := range candidate {
		for ; len(holders) > 0 && holders[0] < host; holders = holders[1:] {
			p.join(holders[0], false)
		}
		if len(holders) > 0 && holders[0] == host {
			holders = holders[1:]
		}
		p.join(host, true)
	}
	for _, host := range holders {
		p.join(host, false)
	}
}

// join adds a host to the last group if it is like that, or else as a new one.
func (p *Predictor) join(host int, runs bool) {
	h, offer := &p.snapshot.Tree.Hosts[host], &p.snapshot.Hosts[host]
	g := group{hosts: 1, rack: h.Rack, out: h.Out, in: h.In, disk: h.Disk, others: offer.Busy, idle: offer.Idle, apart: p.holds[host]}
	if runs {
		g.slots = offer.Slots
	}
	if g.disk > 0 {
		g.out, g.in = min(g.out, g.disk), min(g.in, g.disk)
	}
	if n := len(p.groups); n > 0 {
		last := &p.groups[n-1]
		if g.like(last) {
			last.hosts++
			return
		}
		g.first = last.first + last.hosts
	}
	g.next()
	p.groups = append(p.groups, g)
	if g.apart {
		p.keep(host, len(p.groups)-1)
	}
}

// keep notes what a host, which is a group of its own, keeps of complete stages.
func (p *Predictor) keep(host, at int) {
	for i := range p.stages {
		for _, held := range p.stages[i].Held {
			if held.Host == host {
				p.bytes[i*p.width+at] += held.Bytes
				p.files[i*p.width+at] += float64(held.Files)
			}
		}
	}
}

// like reports whether a host may join a group in which nothing has happened yet.
func (g *group) like(o *group) bool {
	return !g.apart && !o.apart && g.rack == o.rack && g.out == o.out && g.in == o.in && g.disk == o.disk &&
		g.slots == o.slots && g.others == o.others && g.idle == o.idle
}

// next computes what the next slot of a host is worth.
func (g *group) next() {
	g.step = -1
	if r := tct.Residual(g.idle, g.others+g.busy+1); g.busy < g.slots && r >= tct.MinResidual {
		g.step = tct.Step(r)
	}
}

// residual returns the residual of each busy slot.
func (g *group) residual() float64 {
	return max(tct.Residual(g.idle, g.others+g.busy), tct.MinResidual)
}

// split makes a group of its own of all hosts but the first n: from now on they differ.
func (p *Predictor) split(at, n int) {
	rest := p.groups[at]
	rest.first, rest.hosts = rest.first+n, rest.hosts-n
	p.groups[at].hosts = n
	to := len(p.groups)
	p.groups = append(p.groups, rest)
	for i := range p.stages {
		p.bytes[i*p.width+to] = p.bytes[i*p.width+at]
		p.files[i*p.width+to] = p.files[i*p.width+at]
		if s := &p.stages[i]; s.counted {
			s.kept[to] = s.kept[at]
		}
	}
	p.splitSources(int32(at), int32(to))
	for i := range len(p.cohorts) {
		if c := p.cohorts[i]; c.live() && c.group == int32(at) {
			c.group = int32(to)
			copied := p.add(c)
			p.copyPulls(int32(i), copied)
			if c.phase == runs && c.rate == 0 {
				p.begun = append(p.begun, copied)
			}
			if p.groups[to].fresh == int32(i) {
				p.groups[to].fresh = copied
			}
		}
	}
}

func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
